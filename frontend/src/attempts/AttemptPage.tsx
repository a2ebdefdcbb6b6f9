import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { query, request } from "../api/client";
import { attemptPath } from "../api/names";
import type { Failure, HeldKey, ListedState, Page as ListPage } from "../api/types";
import { FailureTable } from "../failures/FailuresPage";
import { Time } from "../format/time";
import { count } from "../format/units";
import { useLive } from "../shell/live";
import { Page } from "../shell/Page";
import { StateTable } from "../states/StatesPage";
import { Confirm } from "../ui/Confirm";
import { Live } from "../ui/Live";
import { AttemptState } from "./AttemptsPage";

export function AttemptPage() {
  const [parameters] = useSearchParams();
  const key = parameters.get("key") ?? "";
  return <OneKey key={key} of={key} />;
}

function OneKey({ of: key }: { of: string }) {
  const attempt = useLive<HeldKey>(attemptPath(key));
  return (
    <Page title={`Attempt on ${key}`} aside={<Link href="/attempts">All attempts</Link>}>
      {attempt.error?.slug === "attempt-not-found" ? (
        <p className="card">Nobody has claimed this key.</p>
      ) : (
        <Live query={attempt}>{(held) => <Details held={held} />}</Live>
      )}
      <Fenced of={key} />
    </Page>
  );
}

function Details({ held }: { held: HeldKey }) {
  const queries = useQueryClient();
  const [isClosing, setClosing] = useState(false);
  async function close() {
    await request(`${attemptPath(held.key)}/${held.attempt}`, { method: "DELETE" });
    void queries.invalidateQueries();
  }
  return (
    <>
      <section className="card" aria-labelledby="claim">
        <header className="card-head">
          <h2 id="claim">Claim</h2>
          <AttemptState attempt={held} />
        </header>
        <dl className="facts">
          <div>
            <dt>Worker</dt>
            <dd className="name">{held.worker ?? "unnamed"}</dd>
          </div>
          <div>
            <dt>Attempt</dt>
            <dd>
              {held.attempt}, claim number {held.ordinal} of the key
            </dd>
          </div>
          <div>
            <dt>Claimed</dt>
            <dd>
              <Time at={held.startedAt} />
            </dd>
          </div>
          {held.closedAt && (
            <div>
              <dt>Closed</dt>
              <dd>
                <Time at={held.closedAt} />
              </dd>
            </div>
          )}
          {held.states && (
            <div>
              <dt>States of the key</dt>
              <dd>
                {count(held.states.total)}, {count(held.states.completed)} of them completed,{" "}
                {count(held.states.ofAttempt)} written by this attempt
              </dd>
            </div>
          )}
        </dl>
        {held.closedAt === null && (
          <div className="actions">
            <button type="button" className="danger" onClick={() => setClosing(true)}>
              Close the attempt…
            </button>
          </div>
        )}
        {isClosing && (
          <Confirm title="Close this attempt?" action="Close the attempt" run={close} close={() => setClosing(false)}>
            <p>
              Attempt {held.attempt} on <strong className="name">{held.key}</strong>
              {held.worker && `, held by ${held.worker},`} will be closed: what it writes from then on is refused, until
              a worker claims the key anew. Its states stay.
            </p>
          </Confirm>
        )}
      </section>
      <Writes held={held} />
    </>
  );
}

function Writes({ held }: { held: HeldKey }) {
  const states = useLive<ListPage<ListedState>>(`/api/v1/states${query({ key: held.key, attempt: held.attempt })}`);
  return (
    <section aria-labelledby="writes">
      <h2 id="writes">What it has written</h2>
      <Live query={states}>
        {({ items, next }) =>
          items.length === 0 ? (
            <p className="quiet">Nothing that is there still.</p>
          ) : (
            <>
              <StateTable states={items} />
              {next && <Link href={`/states${query({ key: held.key, attempt: held.attempt })}`}>more</Link>}
            </>
          )
        }
      </Live>
    </section>
  );
}

/** The writes of older attempts that were refused: somebody is still at work who should not be. */
function Fenced({ of: key }: { of: string }) {
  const failures = useLive<ListPage<Failure>>(`/api/v1/failures${query({ key, limit: 1000 })}`);
  return (
    <section aria-labelledby="fenced">
      <h2 id="fenced">Fenced writes</h2>
      <Live query={failures}>
        {({ items }) => {
          const fenced = items.filter((failure) => /^attempt-(fenced|closed)$/.test(failure.problem));
          return fenced.length === 0 ? (
            <p className="quiet">None that this instance remembers.</p>
          ) : (
            <FailureTable failures={fenced} />
          );
        }}
      </Live>
    </section>
  );
}
