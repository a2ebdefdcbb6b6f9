import { createServer, request as httpRequest, type Server } from "node:http";
import { expect, type Page, test } from "@playwright/test";
import { freePort, Service } from "./service";
import { watch } from "./watch";

let service: Service;

test.beforeAll(async () => {
  service = await Service.start(["--durable-state.faults.enabled=true", "--durable-state.failures.settle-after=2s"]);
});

test.afterAll(async () => service.close());

async function open(page: Page, path: string, heading: string) {
  await page.goto(`${service.url}/console/${path}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
}

test("an empty store shows how to store the first state, and states appear as they are put", async ({ page }) => {
  const watched = watch(page);
  await open(page, "states", "States");
  await expect(page.getByText("There is no state yet.")).toBeVisible();
  await expect(page.getByText(`curl -X PUT ${service.url}/api/v1/states/`)).toBeVisible();

  await service.put("order-42/7/charge%2Dcard", '{"amount":12345678901234567890.10}');
  await service.put("order-42/8/ship/parcel-2", '{"parcel":2}');
  await service.put("order-43/1/charge-card", "1");
  await expect(page.getByRole("row")).toHaveCount(4);

  await page.getByRole("searchbox", { name: "Key" }).fill("order-42");
  await expect(page.getByRole("row")).toHaveCount(3);
  expect(page.url()).toContain("prefix=order-42");
  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Key" })).toHaveValue("order-42");
  await expect(page.getByRole("row")).toHaveCount(3);

  await page.getByRole("link", { name: "charge-card" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("order-42/7/charge-card");
  await expect(page.locator("pre.body")).toHaveText('{"amount":12345678901234567890.10}');
  await page.getByRole("button", { name: "Indented" }).click();
  await expect(page.locator("pre.body")).toHaveText('{\n  "amount": 12345678901234567890.10\n}');
  watched.expectNothing();
});

test("a state is opened by its full name, odd ones too", async ({ page }) => {
  const watched = watch(page);
  await service.put("a%2Fb%25%3B%C3%BC/9223372036854775807/x%20y", '"odd"');
  await open(page, "states", "States");
  await page.getByLabel("Full name of a state").fill("nonsense");
  await page.getByRole("button", { name: "Open" }).click();
  await expect(page.getByRole("alert")).toContainText("key/sequence/action");
  await page.getByLabel("Full name of a state").fill("a%2Fb%25;ü/9223372036854775807/x y");
  await page.getByRole("button", { name: "Open" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("a/b%;ü/9223372036854775807/x y");
  await expect(page.locator("pre.body")).toHaveText('"odd"');
  watched.expectNothing();
});

test("a state that looks like HTML is text everywhere", async ({ page }) => {
  const watched = watch(page);
  const html = "<img src=x onerror=alert(1)>";
  const name = encodeURIComponent(html);
  await service.put(`${name}/1/${name}`, JSON.stringify(html));
  await open(page, `states?key=${name}`, "States");
  await expect(page.getByRole("cell", { name: html })).toHaveCount(2);
  await page.getByRole("link", { name: html }).click();
  await expect(page.locator("pre.body")).toHaveText(JSON.stringify(html));
  expect(await page.locator("img").count()).toBe(0);
  watched.expectNothing();
});

test("a state is deleted only as it was seen", async ({ page }) => {
  await service.put("to-delete/1/a", "1");
  await open(page, "state?key=to-delete&sequence=1&action=a", "to-delete/1/a");
  await page.getByRole("button", { name: "Pause" }).click();
  await service.put("to-delete/1/a", "2");
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("It has changed meanwhile");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.locator("pre.body")).toHaveText("2");
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("There is no state of this name.")).toBeVisible();
});

test("a prune shows first what it would delete", async ({ page }) => {
  for (const sequence of [1, 2, 3]) {
    await service.put(`to-prune/${sequence}/a?completed=${sequence === 1}`, "1");
  }
  await open(page, "state?key=to-prune&sequence=2&action=a", "to-prune/2/a");
  await page.getByRole("button", { name: "Prune the key…" }).click();
  await expect(page.getByText("1 state would be deleted.")).toBeVisible();
  await page.getByLabel("only completed ones").uncheck();
  await expect(page.getByText("2 states would be deleted.")).toBeVisible();
  await page.getByRole("button", { name: "Prune", exact: true }).click();
  await expect(page.getByText("There is no state of this name.")).toBeVisible();
  await expect(page.getByRole("link", { name: "3 a" })).toBeVisible();
});

test("an unknown outcome shows, is opened, and is seen to be settled", async ({ page }) => {
  const watched = watch(page);
  await service.arm([{ fault: "unknown-not-written", key: "doubtful" }]);
  expect((await service.put("doubtful/1/charge", "1")).status).toBe(504);

  await open(page, "", "Overview");
  await page.getByRole("link", { name: "doubtful/1/charge" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ack timeout");
  await service.put("doubtful/1/later", "1");
  await expect(page.getByRole("region", { name: "Outcome" })).toContainText("not written");
  await expect(page.getByText("Known since")).toBeVisible();

  await page.getByRole("link", { name: "All failures" }).click();
  await page.getByRole("button", { name: "TimeoutException" }).click();
  await expect(page).toHaveURL(/cause=org\.apache\.kafka/);
  await expect(page.getByRole("region", { name: "List of failures" }).getByRole("row")).toHaveCount(2);
  await page.goBack();
  watched.expectNothing();
});

test("an attempt shows its worker, its writes and the zombie that it fenced, and is closed", async ({ page }) => {
  const old = await service.claim("job-1", "pod-1");
  const now = await service.claim("job-1", "pod-2");
  await service.put("job-1/1/step", "1", { Attempt: String(now) });
  expect((await service.put("job-1/1/step", "2", { Attempt: String(old) })).status).toBe(409);

  await open(page, "attempts", "Attempts");
  await page.getByRole("link", { name: "job-1" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Attempt on job-1");
  await expect(page.getByText("pod-2", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "List of states" }).getByRole("link", { name: "step" })).toBeVisible();
  await page.getByRole("link", { name: "Attempt fenced (put)" }).click();
  await expect(page.getByText("worker pod-1")).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Close the attempt…" }).click();
  await page.getByRole("button", { name: "Close the attempt", exact: true }).click();
  await expect(page.getByText("closed", { exact: true })).toBeVisible();
});

test("everything can be reached with the keyboard", async ({ page }) => {
  await service.put("by-key/1/charge-card", "1");
  await open(page, "", "Overview");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the page" })).toBeFocused();
  for (const [key, heading] of Object.entries({ s: "States", f: "Failures", a: "Attempts", l: "Log", o: "Overview" })) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  }
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("by-key");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: "charge-card" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("by-key/1/charge-card");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("plots show numbers, also as tables, in the theme that was chosen", async ({ page }) => {
  const watched = watch(page);
  await open(page, "", "Overview");
  await expect(page.locator("canvas")).toHaveCount(5);
  await page.getByText("As a table").first().click();
  await expect(
    page.getByRole("region", { name: "Writes acknowledged, per second" }).getByRole("row").nth(1),
  ).toBeVisible();
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.getByLabel("Theme").selectOption("dark");
  await expect.poll(background).not.toBe(light);
  await page.reload();
  await expect(page.getByLabel("Theme")).toHaveValue("dark");
  watched.expectNothing();
});

test.describe("behind a proxy under a prefix", () => {
  let proxy: Server;
  let port: number;

  test.beforeAll(async () => {
    port = await freePort();
    proxy = createServer((incoming, answer) => {
      const path = (incoming.url ?? "").replace(/^\/apps\/ds/, "");
      const outgoing = httpRequest(
        service.url + path,
        { method: incoming.method, headers: incoming.headers },
        (from) => {
          answer.writeHead(from.statusCode ?? 502, from.headers);
          from.pipe(answer);
        },
      );
      incoming.pipe(outgoing);
    }).listen(port, "127.0.0.1");
  });

  test.afterAll(() => proxy.close());

  test("pages, links and reloads work", async ({ page }) => {
    const watched = watch(page);
    await service.put("by-proxy/8/send/parcel-2", '{"parcel":2}');
    await page.goto(`http://127.0.0.1:${port}/apps/ds/console`);
    await expect(page).toHaveURL(/\/apps\/ds\/console\/$/);
    await expect(page.getByText("Single copy").first()).toBeVisible();
    await page.getByRole("link", { name: "States" }).click();
    await page.getByRole("link", { name: "send" }).click();
    await expect(page.locator("pre.body")).toHaveText('{"parcel":2}');
    await page.reload();
    await expect(page.locator("pre.body")).toHaveText('{"parcel":2}');
    expect(page.url()).toContain("/apps/ds/console/state?");
    await expect(page.getByRole("link", { name: "Download" })).toHaveAttribute(
      "href",
      /^\/apps\/ds\/api\/v1\/states\//,
    );
    watched.expectNothing();
  });
});

test("an address that is no page says so", async ({ page }) => {
  await open(page, "nothing", "No such page");
});
