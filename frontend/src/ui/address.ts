import { useSearchParams } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";

interface Address {
  get: (name: string) => string;
  /** Sets some parameters, empty ones away; a list begins anew. */
  set: (changes: Record<string, string>) => void;
  /** Goes to a page of a list, which is so many turns after the one that it was opened with. */
  turnTo: (cursor: string, turns: number) => void;
  /** How many turns lie behind this page: none when it was opened by its address. */
  turns: number;
  clear: () => void;
  isEmpty: boolean;
}

/** What a list shows, kept in the address, so that it can be shared and loaded again. */
export function useAddress(): Address {
  const [parameters, setParameters] = useSearchParams();
  return {
    get: (name) => parameters.get(name) ?? "",
    set: (changes) => setParameters((before) => changed(before, { ...changes, cursor: "" }), { replace: true }),
    turnTo: (cursor, turns) => setParameters((before) => changed(before, { cursor }), { state: { turns } }),
    turns: useHistoryState<{ turns?: number } | null>()?.turns ?? 0,
    clear: () => setParameters({}, { replace: true }),
    isEmpty: [...parameters.keys()].every((name) => name === "cursor"),
  };
}

/** Some parameters with others in their place. */
export function changed(before: URLSearchParams, changes: Record<string, string>): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") {
      after.delete(name);
    } else {
      after.set(name, value);
    }
  }
  return after;
}
