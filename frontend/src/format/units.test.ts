import { describe, expect, it } from "vitest";
import { bytes, count, duration, rate } from "./units";

describe("units", () => {
  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [1023, "1023 bytes"],
    [1024, "1 KiB"],
    [1_000_000, "977 KiB"],
    [268_435_456, "256 MiB"],
  ])("of %d bytes", (value, text) => expect(bytes(value)).toBe(text));

  it.each([
    [0, "0 ms"],
    [0.387, "0.39 ms"],
    [8.61, "8.61 ms"],
    [321.4, "321 ms"],
    [10_000, "10 s"],
    [95_000, "1 min 35 s"],
    [3_900_000, "1 h 5 min"],
    [400_000_000, "4 days"],
  ])("of %d milliseconds", (value, text) => expect(duration(value)).toBe(text));

  it("of numbers and rates", () => {
    expect(count(1_234_567)).toBe("1,234,567");
    expect([0, 0.04, 0.25, 12.345, 1234.5].map(rate)).toEqual(["0", "0.04", "0.25", "12.3", "1,235"]);
  });
});
