import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Body } from "./Body";

const NAME = { key: "k", sequence: "1", action: "a", event: null };

function show(text: string, contentType = "application/json") {
  return render(<Body name={NAME} bytes={new TextEncoder().encode(text)} contentType={contentType} />);
}

afterEach(cleanup);

describe("the bytes of a state", () => {
  it("are text and nothing else", () => {
    const text = '"<img src=x onerror=alert(1)>"';
    const { container } = show(text);
    expect(container.querySelector("img")).toBeNull();
    expect(container.querySelector("pre")?.textContent).toBe(text);
  });

  it("keep their numbers when they are indented", () => {
    const { container } = show('{"amount":12345678901234567890.10}');
    fireEvent.click(screen.getByRole("button", { name: "Indented" }));
    expect(container.querySelector("pre")?.textContent).toBe('{\n  "amount": 12345678901234567890.10\n}');
  });

  it("are cut off when they are many, and shown on demand", () => {
    const { container } = show("x".repeat(70_000), "text/plain");
    expect(container.querySelector("pre")?.textContent).toHaveLength(65_536);
    fireEvent.click(screen.getByRole("button", { name: "Show all" }));
    expect(container.querySelector("pre")?.textContent).toHaveLength(70_000);
  });

  it("are dumped when they are no text", () => {
    const { container } = show("AB", "application/octet-stream");
    expect(container.querySelector("pre")?.textContent).toMatch(/^00000000 {2}41 42 /);
  });
});
