import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? INSTALLED.find(existsSync);

if (!executablePath) {
  console.warn("NOT RUN: the tests of the console in a browser. Install chromium, or say in CHROMIUM where one is.");
}

export default defineConfig({
  testDir: "e2e",
  testMatch: process.env.SCREENSHOTS ? "*.shots.ts" : "*.spec.ts",
  testIgnore: executablePath ? [] : "**",
  outputDir: "test-results",
  workers: 1,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [["line"]],
  use: {
    actionTimeout: 30_000,
    viewport: { width: 1280, height: 900 },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--enable-precise-memory-info",
      ],
    },
  },
});
