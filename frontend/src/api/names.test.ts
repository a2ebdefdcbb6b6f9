import { describe, expect, it } from "vitest";
import { parseStateText, statePath, stateText } from "./names";

describe("the address of a state", () => {
  it("encodes everything but letters and digits", () => {
    const name = { key: "a/b%ü;x ", sequence: "7", action: "charge-card", event: "é.1" };
    expect(statePath(name)).toBe("/api/v1/states/a%2Fb%25%C3%BC%3Bx%20/7/charge%2Dcard/%C3%A9%2E1");
  });

  it("keeps sequences that no number of JavaScript holds", () => {
    const name = { key: "k", sequence: "9223372036854775807", action: "a", event: null };
    expect(statePath(name)).toBe("/api/v1/states/k/9223372036854775807/a");
  });
});

describe("what people write for a state", () => {
  it("is read", () => {
    expect(parseStateText(" order-42/7/charge-card ")).toEqual({
      key: "order-42",
      sequence: "7",
      action: "charge-card",
      event: null,
    });
    expect(parseStateText("a%2Fb/0/x/evt")).toEqual({ key: "a/b", sequence: "0", action: "x", event: "evt" });
  });

  it.each(["", "order-42", "order-42/x/charge", "a/1/b/c/d", "/1/a", "a/1/", "%FF/1/a"])("is refused: %s", (text) => {
    expect(parseStateText(text)).toBeNull();
  });

  it("is what is shown", () => {
    expect(stateText({ key: "k", sequence: "1", action: "a", event: "e" })).toBe("k/1/a/e");
  });
});
