import type { ReactNode } from "react";

export type Tone = "good" | "warn" | "bad" | "plain";

const MARKS: Record<Tone, string> = { good: "✓", warn: "!", bad: "✕", plain: "" };

/** A word with a colour; the mark says the same to those who do not see it. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`badge ${tone}`}>
      {MARKS[tone] && <span aria-hidden="true">{MARKS[tone]}</span>}
      {children}
    </span>
  );
}
