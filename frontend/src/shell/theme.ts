import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const KEY = "durable-state-theme";
const listeners = new Set<() => void>();
const system = window.matchMedia("(prefers-color-scheme: dark)");

function stored(): Theme {
  const theme = localStorage.getItem(KEY);
  return theme === "light" || theme === "dark" ? theme : "system";
}

function apply(theme: Theme) {
  document.documentElement.dataset.theme = theme;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  system.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener("change", listener);
  };
}

/** Shows the page in the theme that was chosen last. */
export function restoreTheme() {
  apply(stored());
}

export function chooseTheme(theme: Theme) {
  localStorage.setItem(KEY, theme);
  apply(theme);
  listeners.forEach((listener) => {
    listener();
  });
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, stored);
}

/** Whether the page is dark now, whoever decided that. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, () => {
    const theme = stored();
    return theme === "system" ? system.matches : theme === "dark";
  });
}
