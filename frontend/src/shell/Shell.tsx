import { type ReactNode, useRef } from "react";
import { Link, useLocation } from "wouter";
import type { Durability, Status } from "../api/types";
import { clockTime } from "../format/time";
import { VERDICTS } from "../overview/verdicts";
import { Badge } from "../ui/Badge";
import { INTERVALS, useLive, usePolling } from "./live";
import { SHORTCUTS, useShortcuts } from "./shortcuts";
import { chooseTheme, type Theme, useTheme } from "./theme";

const PAGES = [
  ["/", "Overview", ["/"]],
  ["/states", "States", ["/states", "/state"]],
  ["/failures", "Failures", ["/failures", "/failure"]],
  ["/attempts", "Attempts", ["/attempts", "/attempt"]],
  ["/log", "Log", ["/log"]],
] as const;

/** What stands around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const help = useRef<HTMLDialogElement>(null);
  useShortcuts(() => help.current?.showModal());
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="shell">
        <Link href="/" className="brand">
          Durable State
        </Link>
        <Navigation />
        <div className="tools">
          <PollingControl />
          <ThemeControl />
          <button type="button" aria-label="Keyboard shortcuts" onClick={() => help.current?.showModal()}>
            ?
          </button>
        </div>
      </header>
      <Unreachable />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <dialog ref={help} aria-labelledby="shortcuts">
        <h2 id="shortcuts">Keyboard</h2>
        <dl className="facts">
          {SHORTCUTS.map(([keys, what]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog" className="actions">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

function Navigation() {
  const [location] = useLocation();
  return (
    <nav aria-label="Pages">
      {PAGES.map(([href, name, addresses]) => (
        <Link
          key={href}
          href={href}
          {...((addresses as readonly string[]).includes(location) ? { "aria-current": "page" as const } : {})}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

function PollingControl() {
  const { seconds, setSeconds, isPaused, setPaused } = usePolling();
  return (
    <>
      <button type="button" className={isPaused ? "paused" : undefined} onClick={() => setPaused(!isPaused)}>
        {isPaused ? "Go on" : "Pause"}
      </button>
      <select
        aria-label="How often the page asks"
        value={seconds}
        disabled={isPaused}
        onChange={(event) => setSeconds(Number(event.target.value))}
      >
        {INTERVALS.map((interval) => (
          <option key={interval} value={interval}>
            every {interval} s
          </option>
        ))}
      </select>
    </>
  );
}

function ThemeControl() {
  const theme = useTheme();
  return (
    <select aria-label="Theme" value={theme} onChange={(event) => chooseTheme(event.target.value as Theme)}>
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}

/** The one place that says so when nothing answers. */
function Unreachable() {
  const status = useLive<Status>("/api/v1/status");
  const isUnreachable = status.error?.isUnreachable ?? false;
  return (
    <div role="status" className={isUnreachable ? "banner" : "visually-hidden"}>
      {isUnreachable &&
        `The service cannot be reached. ${
          status.dataUpdatedAt > 0 ? `What you see is as of ${clockTime(status.dataUpdatedAt)}.` : ""
        }`}
    </div>
  );
}

function Footer() {
  const status = useLive<Status>("/api/v1/status").data;
  const verdict = useLive<Durability>("/api/v1/durability").data?.verdict;
  return (
    <footer className="shell">
      {verdict && <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].name}</Badge>}
      {status && (
        <span>
          Instance {status.instance}, version {status.version}, {status.phase}
        </span>
      )}
    </footer>
  );
}
