import type { Verdict } from "../api/types";
import type { Tone } from "../ui/Badge";

interface VerdictText {
  name: string;
  tone: Tone;
  /** What an acknowledgement means under it. */
  meaning: string;
}

export const VERDICTS: Record<Verdict, VerdictText> = {
  replicated: {
    name: "Replicated",
    tone: "good",
    meaning: "An acknowledged state lies on several brokers, and survives the loss of one.",
  },
  "single-copy": {
    name: "Single copy",
    tone: "warn",
    meaning: "An acknowledged state lies on one broker. It is lost when that broker's disk is.",
  },
  "at-risk": {
    name: "At risk",
    tone: "bad",
    meaning: "An acknowledged state can be lost in a way that the cluster is meant to rule out.",
  },
  unavailable: { name: "Unavailable", tone: "bad", meaning: "Kafka does not take writes now. What is stored is kept." },
};
