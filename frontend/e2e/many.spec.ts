import { expect, test } from "@playwright/test";
import { Service } from "./service";
import { watch } from "./watch";

const STATES = 100_000;

test("100,000 states: quick lists, flat memory, and a restart that shows how far it is", async ({ page }) => {
  test.setTimeout(300_000);
  const service = await Service.start();
  try {
    await service.fill("order-", STATES);
    const watched = watch(page);

    await page.goto(`${service.url}/console/states`);
    await expect(page.getByRole("row")).toHaveCount(51);
    const begin = await page.evaluate(async () => {
      const times = [];
      for (let i = 0; i < 5; i++) {
        const start = performance.now();
        await (await fetch("../api/v1/states")).json();
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b)[2] ?? Number.POSITIVE_INFINITY;
    });
    console.log(`First page of ${STATES} states: ${begin.toFixed(1)} ms`);
    expect(begin).toBeLessThan(300);

    const client = await page.context().newCDPSession(page);
    const heap = async () => {
      await client.send("HeapProfiler.collectGarbage");
      return page.evaluate(
        () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
      );
    };
    const turn = async (pages: number) => {
      for (let i = 0; i < pages; i++) {
        const last = await page.getByRole("row").nth(50).getByRole("cell").first().textContent();
        await page.getByRole("button", { name: "Next" }).click();
        await expect(page.getByRole("row").nth(50).getByRole("cell").first()).not.toHaveText(last ?? "");
      }
    };
    await turn(10);
    const before = await heap();
    await turn(40);
    const after = await heap();
    console.log(`Heap of the page after 10 and 50 pages: ${before} and ${after} bytes`);
    expect(after).toBeLessThan(before * 1.5);
    watched.expectNothing();

    await page.goto(`${service.url}/console/`);
    await page.getByLabel("How often the page asks").selectOption("1");
    await expect(page.getByText("100,000", { exact: true })).toBeVisible();
    await service.kill();
    await expect(page.getByRole("status").first()).toContainText("The service cannot be reached.");
    await expect(page.getByText(/As of .*: The service cannot be reached/).first()).toBeVisible();
    service.launch();
    await expect(page.getByRole("progressbar", { name: "Replay of the log" })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText(/records read/)).toBeVisible();
    await expect(page.getByRole("progressbar")).toHaveCount(0, { timeout: 60_000 });
    await expect(page.getByText("100,000", { exact: true })).toBeVisible();
  } finally {
    await service.close();
  }
});
