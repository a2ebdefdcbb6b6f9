import { expect, test } from "@playwright/test";
import { Service } from "./service";

const MINUTES_OF_TRAFFIC = Number(process.env.MINUTES ?? 3);

let service: Service;

test.beforeAll(async () => {
  test.setTimeout((MINUTES_OF_TRAFFIC + 2) * 60_000);
  service = await Service.start(["--durable-state.faults.enabled=true", "--durable-state.failures.settle-after=2s"]);
  await service.fill("order-", 300);
  await workers();
  await traffic(Date.now() + MINUTES_OF_TRAFFIC * 60_000);
  await troubles();
});

test.afterAll(async () => service.close());

async function workers() {
  const old = await service.claim("order-000042", "pod-1");
  const current = await service.claim("order-000042", "pod-2");
  const held = { Attempt: String(current) };
  await service.put("order-000042/7/reserve-stock?completed=true", '{"reserved":true}', held);
  await service.put("order-000042/8/charge-card/attempt-1", '{"declined":true}', held);
  await service.put(
    "order-000042/8/charge-card?expectWithin=PT5M",
    '{"amount":12345678901234567890.10,"currency":"EUR","card":{"brand":"visa","last4":"4242"},"tries":2}',
    held,
  );
  await service.put("order-000042/8/charge-card", "{}", { Attempt: String(old) });
}

/** Puts in waves, so that the plots have something to show. */
async function traffic(end: number) {
  for (let i = 0; Date.now() < end; i++) {
    const puts = 1 + Math.round(3 * (1 + Math.sin(i / 200)));
    const keys = Array.from({ length: puts }, (_, n) => `order-${String((i * 7 + n) % 300).padStart(6, "0")}`);
    await Promise.all(keys.map((key) => service.put(`${key}/2/reserve-stock?completed=true`, '{"reserved":true}')));
    if (i % 400 === 399) {
      await service.arm([{ fault: "unknown-written" }]);
    }
  }
}

async function troubles() {
  const late = { Attempt: String(await service.claim("order-000107", "pod-3")) };
  await service.put("order-000107/3/ship-parcel?expectWithin=PT2S", '{"parcel":17}', late);
  await service.arm([{ fault: "unknown-not-written", key: "order-000099" }]);
  await service.put("order-000099/4/charge-card", "1");
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    test(`every page in ${colorScheme}, ${width} wide`, async ({ browser }) => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      const list = await (await fetch(`${service.url}/api/v1/failures?operation=put`)).json();
      const unknown = list.items.find((failure: { key: string }) => failure.key === "order-000099");
      const pages = {
        overview: ["console/", "Overview"],
        states: ["console/states?prefix=order-0000", "States"],
        state: ["console/state?key=order-000042&sequence=8&action=charge-card", "order-000042/8/charge-card"],
        failures: ["console/failures", "Failures"],
        failure: [`console/failure?id=${unknown.id}`, "Ack timeout"],
        attempts: ["console/attempts", "Attempts"],
        attempt: ["console/attempt?key=order-000042", "Attempt on order-000042"],
        log: ["console/log", "Log"],
        problem: ["problems/ack-timeout", "No acknowledgement in time"],
      };
      for (const [name, [path, heading]] of Object.entries(pages)) {
        await page.goto(`${service.url}/${path}`);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading ?? "");
        await expect(page.locator("main [aria-busy]")).toHaveCount(0);
        await page.screenshot({ path: `test-results/screenshots/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
      await context.close();
    });
  }
}
