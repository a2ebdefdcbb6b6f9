import type { ReactNode } from "react";
import type { Problem } from "../api/client";
import { clockTime } from "../format/time";
import type { LiveQuery } from "../shell/live";

/** Shows what was asked for; before that, that it is being asked; after a failure, how old it is or what went wrong. */
export function Live<T>({ query, children }: { query: LiveQuery<T>; children: (data: T) => ReactNode }) {
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
      {query.error && (
        <p className="as-of">
          As of {clockTime(query.dataUpdatedAt)}: {query.error.title}.
        </p>
      )}
      <div className={query.error ? "stale" : undefined}>{children(query.data)}</div>
    </>
  );
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
