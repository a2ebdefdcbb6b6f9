import { type ReactNode, useEffect, useState } from "react";
import type { Problem } from "../api/client";
import { clockTime } from "../format/time";
import { type LiveQuery, usePolling } from "../shell/live";

const LATE_INTERVALS = 2.5;

/** Shows what was asked for; before that, that it is being asked; when nothing newer comes, how old it is and why. */
export function Live<T>({ query, children }: { query: LiveQuery<T>; children: (data: T) => ReactNode }) {
  const isStale = useIsStale(query);
  if (query.data === undefined) {
    return query.error ? (
      <ProblemNote problem={query.error} retry={() => void query.refetch()} />
    ) : (
      <p className="loading" aria-busy="true">
        Loading…
      </p>
    );
  }
  return (
    <>
      {isStale && (
        <p className="as-of">
          As of {clockTime(query.dataUpdatedAt)}
          {query.error && `: ${query.error.title}`}.
        </p>
      )}
      <div className={isStale ? "stale live" : "live"}>{children(query.data)}</div>
    </>
  );
}

/** Whether what is shown is older than it should be, by then if not now. */
function useIsStale({ dataUpdatedAt, error }: LiveQuery<unknown>): boolean {
  const { seconds } = usePolling();
  const [lateSince, setLateSince] = useState(0);
  useEffect(() => {
    const due = dataUpdatedAt + seconds * 1000 * LATE_INTERVALS - Date.now();
    const timer = setTimeout(() => setLateSince(dataUpdatedAt), Math.max(0, due));
    return () => clearTimeout(timer);
  }, [dataUpdatedAt, seconds]);
  return dataUpdatedAt > 0 && (error !== null || lateSince === dataUpdatedAt);
}

export function ProblemNote({ problem, retry }: { problem: Problem; retry?: () => void }) {
  return (
    <div className="problem" role="alert">
      <strong>{problem.title}</strong>
      {problem.detail && <p>{problem.detail}</p>}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
