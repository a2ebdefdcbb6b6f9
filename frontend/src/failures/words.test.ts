import { describe, expect, it } from "vitest";
import type { Failure } from "../api/types";
import { causeText, problemName, retryAdvice } from "./words";

function failure(problem: string, outcome: Failure["outcome"]): Failure {
  return { problem, outcome } as Failure;
}

describe("whether a retry is safe", () => {
  it.each([
    ["ack-timeout", "unknown", /^Yes/],
    ["not-enough-replicas", "not-persisted", /^Yes/],
    ["ack-timeout", "persisted", /no need/],
    ["attempt-fenced", "not-persisted", /^No/],
    ["state-too-large", "not-persisted", /^No/],
  ] as const)("after %s, %s", (problem, outcome, advice) => {
    expect(retryAdvice(failure(problem, outcome))).toMatch(advice);
  });
});

it("names causes and problems in words", () => {
  expect(causeText({ type: "org.apache.kafka.common.errors.TimeoutException", message: "Expiring 1 record(s)" })).toBe(
    "TimeoutException: Expiring 1 record(s)",
  );
  expect(causeText({ type: "Interrupted", message: null })).toBe("Interrupted");
  expect(problemName("ack-timeout")).toBe("Ack timeout");
});
