import { describe, expect, it } from "vitest";
import { hexDump, isJson, textOf } from "./body";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("a body", () => {
  it("is text as it was stored, a byte order mark included", () => {
    expect(textOf(bytes("\uFEFF12345678901234567890.10"), "application/json", false)).toBe(
      "\uFEFF12345678901234567890.10",
    );
  });

  it("is no text when it is not UTF-8, or not meant to be read", () => {
    expect(textOf(new Uint8Array([0xff]), "text/plain", false)).toBeNull();
    expect(textOf(bytes("a"), "application/octet-stream", false)).toBeNull();
  });

  it("may be cut off within a character", () => {
    expect(textOf(bytes("aé").subarray(0, 2), "text/plain", true)).toBe("a");
    expect(textOf(bytes("aé").subarray(0, 2), "text/plain", false)).toBeNull();
  });

  it.each(["application/json", "application/json; charset=utf-8", "application/problem+json"])(
    "is JSON: %s",
    (type) => {
      expect(isJson(type)).toBe(true);
    },
  );

  it.each(["text/json", "application/jsonl", "text/plain"])("is not JSON: %s", (type) => {
    expect(isJson(type)).toBe(false);
  });
});

it("is dumped 16 bytes to a line", () => {
  expect(hexDump(new Uint8Array([0x41, 0x00, 0xff]))).toBe(`00000000  41 00 ff${" ".repeat(40)} A..`);
  expect(hexDump(new Uint8Array(17)).split("\n")).toHaveLength(2);
});
