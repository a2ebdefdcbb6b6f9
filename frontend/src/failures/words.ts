import type { Failure, Outcome } from "../api/types";
import type { Tone } from "../ui/Badge";

interface OutcomeText {
  name: string;
  tone: Tone;
  meaning: string;
}

export const OUTCOMES: Record<Outcome, OutcomeText> = {
  "not-persisted": {
    name: "not written",
    tone: "bad",
    meaning: "The log does not have the record. The write did not happen.",
  },
  unknown: { name: "unknown", tone: "warn", meaning: "The record may be in the log or not. The log will tell." },
  persisted: {
    name: "turned out to be written",
    tone: "good",
    meaning: "The record is in the log. The write happened, though nobody was told.",
  },
};

const SAFE_TO_REPEAT = "Yes: the same write again is safe.";

/** Whether the caller may send the same write again. */
export function retryAdvice(failure: Failure): string {
  switch (failure.problem) {
    case "attempt-fenced":
    case "attempt-closed":
      return "No: another worker has the key. Whoever wrote this has to stop working on it.";
    case "state-too-large":
      return "No: it would be refused again.";
    case "kafka-refused":
      return "Only once somebody has mended what Kafka refuses.";
    case "internal":
      return "Read the state first.";
    default:
      return failure.outcome === "persisted" ? "There is no need: it is stored." : SAFE_TO_REPEAT;
  }
}

/** The class of a cause without its package. */
export function shortType(type: string): string {
  return type.slice(type.lastIndexOf(".") + 1);
}

/** A cause as a sentence. */
export function causeText(cause: { type: string; message: string | null }): string {
  return cause.message ? `${shortType(cause.type)}: ${cause.message}` : shortType(cause.type);
}

/** What a problem is called: its slug in words. */
export function problemName(slug: string): string {
  const words = slug.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
