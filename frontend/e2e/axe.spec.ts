import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { Service } from "./service";

let service: Service;

test.beforeAll(async () => {
  service = await Service.start(["--durable-state.faults.enabled=true"]);
});

test.afterAll(async () => service.close());

async function expectNoFindings(page: Page, heading: string) {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map((found) => `${found.id}: ${found.nodes.map((node) => node.html).join(" | ")}`)).toEqual([]);
}

const LISTS = { "": "Overview", states: "States", failures: "Failures", attempts: "Attempts", log: "Log" };

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test("while there is nothing", async ({ page }) => {
      for (const [path, heading] of Object.entries(LISTS)) {
        await page.goto(`${service.url}/console/${path}`);
        await expect(page.locator("main [aria-busy]")).toHaveCount(0);
        await expectNoFindings(page, heading);
      }
    });

    test("while everything is loading", async ({ page }) => {
      await page.route("**/api/**", () => {});
      for (const [path, heading] of Object.entries(LISTS)) {
        await page.goto(`${service.url}/console/${path}`);
        await expect(page.getByText("Loading…").first()).toBeVisible();
        await expectNoFindings(page, heading);
      }
    });

    test("while everything fails", async ({ page }) => {
      await page.route("**/api/**", (route) => route.abort());
      for (const [path, heading] of Object.entries(LISTS)) {
        await page.goto(`${service.url}/console/${path}`);
        await expect(page.getByRole("alert").first()).toBeVisible();
        await expect(page.getByRole("status").first()).toContainText("The service cannot be reached.");
        await expectNoFindings(page, heading);
      }
    });
  });
}

test.describe("with data", () => {
  test.beforeAll(async () => {
    const old = await service.claim("order-42", "pod-1");
    await service.claim("order-42", "pod-2");
    await service.put("order-42/1/charge", "1", { Attempt: String(old) });
    await service.put("order-42/1/charge?completed=true&expectWithin=PT1S", '{"a":1}');
    await service.arm([{ fault: "unknown-not-written" }]);
    await service.put("order-42/2/ship", "1");
  });

  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      test(`in ${colorScheme}, ${width} wide`, async ({ browser }) => {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
        const page = await context.newPage();
        const failures = await (await fetch(`${service.url}/api/v1/failures?outcome=unknown`)).json();
        const pages = {
          ...LISTS,
          "state?key=order-42&sequence=1&action=charge": "order-42/1/charge",
          "state?key=nothing&sequence=1&action=charge": "nothing/1/charge",
          "attempt?key=order-42": "Attempt on order-42",
          [`failure?id=${failures.items[0].id}`]: "Ack timeout",
        };
        for (const [path, heading] of Object.entries(pages)) {
          await page.goto(`${service.url}/console/${path}`);
          await expect(page.locator("main [aria-busy]")).toHaveCount(0);
          await expectNoFindings(page, heading);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        }
        await page.goto(`${service.url}/console/state?key=order-42&sequence=1&action=charge`);
        await page.getByRole("button", { name: "Prune the key…" }).click();
        await expect(page.getByText("would be deleted.")).toBeVisible();
        await expectNoFindings(page, "order-42/1/charge");
        await context.close();
      });
    }
  }

  test("the pages of the problems", async ({ page }) => {
    await page.goto(`${service.url}/problems/ack-timeout`);
    await expectNoFindings(page, "No acknowledgement in time");
    await page.getByRole("link", { name: "All problems" }).click();
    await expectNoFindings(page, "What can go wrong");
    await page.goto(`${service.url}/problems/no-such`);
    await expectNoFindings(page, "No such problem");
    await page.getByRole("link", { name: "Failures" }).click();
    await expect(page).toHaveURL(`${service.url}/console/failures`);
  });
});
