import { expect, it } from "vitest";
import type { Sample } from "../api/types";
import { appended } from "./samples";

function at(time: string): Sample {
  return { time, writesPerSecond: 1, failuresPerSecond: {}, readerLag: 0, putMillis: {} };
}

it("keeps fifteen minutes", () => {
  const samples = appended([at("2026-01-31T12:00:00Z"), at("2026-01-31T12:00:05Z")], [at("2026-01-31T12:15:02Z")]);
  expect(samples.map((sample) => sample.time)).toEqual(["2026-01-31T12:00:05Z", "2026-01-31T12:15:02Z"]);
});

it("takes none for what it is", () => {
  expect(appended([], [])).toEqual([]);
});
