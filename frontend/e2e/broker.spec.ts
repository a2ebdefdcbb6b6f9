import { expect, test } from "@playwright/test";
import { freePort, Service } from "./service";

test("a broker that stops for real shows as failures, and as over once it is back", async ({ page }) => {
  const port = await freePort();
  const broker = await Service.start([`--durable-state.embedded.port=${port}`]);
  const service = await Service.start([
    `--spring.kafka.bootstrap-servers=127.0.0.1:${port}`,
    "--spring.kafka.producer.properties.max.block.ms=2000",
  ]);
  try {
    await service.put("order-42/1/charge", "1");
    await page.goto(`${service.url}/console/`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
    await broker.kill();
    await expect(page.getByText("Unavailable").first()).toBeVisible({ timeout: 30_000 });
    expect((await service.put("order-42/2/charge", "1")).status).toBe(503);

    await page.getByRole("link", { name: "Failures" }).click();
    const causes = page.getByRole("region", { name: "Causes and counts" });
    await expect(causes.getByRole("row")).toHaveCount(2);
    await page.getByRole("link", { name: "Kafka unavailable (put)" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Kafka unavailable");
    await expect(page.getByRole("region", { name: "Outcome" }).getByText("not written")).toBeVisible();

    broker.launch();
    await broker.awaitReady();
    await page.getByRole("link", { name: "Overview" }).click();
    await expect(page.getByText("Single copy").first()).toBeVisible({ timeout: 60_000 });
    expect((await service.put("order-42/2/charge", "1")).ok).toBe(true);
  } finally {
    await service.close();
    await broker.close();
  }
});
