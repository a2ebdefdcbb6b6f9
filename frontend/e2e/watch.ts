import { expect, type Page } from "@playwright/test";

/** Takes note of everything that a page must not do. */
export function watch(page: Page): { expectNothing: () => void } {
  const faults: string[] = [];
  const isLoopback = (url: string) => /^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(url);
  page.on("request", (request) => !isLoopback(request.url()) && faults.push(`asked for ${request.url()}`));
  page.on("pageerror", (error) => faults.push(`threw ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      faults.push(message.text());
    }
  });
  return { expectNothing: () => expect(faults).toEqual([]) };
}
