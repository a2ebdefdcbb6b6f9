import { useEffect, useRef } from "react";
import { useLocation } from "wouter";

export const SHORTCUTS = [
  ["/", "Search on this page"],
  ["g o", "Overview"],
  ["g s", "States"],
  ["g f", "Failures"],
  ["g a", "Attempts"],
  ["g l", "Log"],
  ["?", "This list"],
] as const;

const PAGES: Record<string, string> = { o: "/", s: "/states", f: "/failures", a: "/attempts", l: "/log" };
const SEQUENCE_MILLIS = 1500;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Listens for the keys of {@link SHORTCUTS}, but not while somebody types or a dialog is open. */
export function useShortcuts(showHelp: () => void) {
  const [, navigate] = useLocation();
  const afterG = useRef(0);
  useEffect(() => {
    function pressed(event: KeyboardEvent) {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event.target) ||
        document.querySelector("dialog[open]")
      ) {
        return;
      }
      const page = event.timeStamp - afterG.current < SEQUENCE_MILLIS ? PAGES[event.key] : undefined;
      afterG.current = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (page !== undefined) {
        navigate(page);
      } else if (event.key === "?") {
        showHelp();
      } else if (event.key === "/") {
        const search = document.querySelector<HTMLInputElement>("main input[type=search]");
        if (search === null) {
          return;
        }
        search.focus();
        search.select();
      } else {
        return;
      }
      event.preventDefault();
    }
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [navigate, showHelp]);
}
