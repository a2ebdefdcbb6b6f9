import { describe, expect, it } from "vitest";
import { indentJson } from "./json";

describe("indented JSON", () => {
  it("keeps numbers as they were written", () => {
    const text = '{"amount":12345678901234567890.10,"big":1e400,"zero":-0.0}';
    expect(indentJson(text)).toBe('{\n  "amount": 12345678901234567890.10,\n  "big": 1e400,\n  "zero": -0.0\n}');
  });

  it("keeps strings as they were written", () => {
    const text = '["a \\"b\\" , : {x}","\\u00e9\\\\",""]';
    expect(indentJson(text)).toBe('[\n  "a \\"b\\" , : {x}",\n  "\\u00e9\\\\",\n  ""\n]');
  });

  it("keeps empty objects and arrays on their line", () => {
    expect(indentJson('{"a":{ },"b":[ ],"c":[{}]}')).toBe('{\n  "a": {},\n  "b": [],\n  "c": [\n    {}\n  ]\n}');
  });

  it("takes a value alone", () => {
    expect(indentJson(" 007e1 ")).toBe("007e1");
    expect(indentJson("null")).toBe("null");
  });

  it("goes as deep as the service does", () => {
    const text = "[".repeat(1000) + "]".repeat(1000);
    expect(indentJson(text)?.replace(/\s/g, "")).toBe(text);
  });

  it("leaves what is cut off to others", () => {
    expect(indentJson('{"a":"b')).toBeNull();
    expect(indentJson("")).toBeNull();
  });
});
