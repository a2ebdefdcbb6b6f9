import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { serviceUrl } from "../api/base";
import { query, request } from "../api/client";
import { statePage, statePath, stateText } from "../api/names";
import type { HeldKey, ListedState, Page as ListPage, StateName } from "../api/types";
import { Time } from "../format/time";
import { bytes } from "../format/units";
import { useLive } from "../shell/live";
import { Page } from "../shell/Page";
import { Badge } from "../ui/Badge";
import { Live } from "../ui/Live";
import { Body } from "./Body";
import { DeleteDialog, PruneDialog } from "./dialogs";

interface StoredState {
  revision: string;
  completed: boolean;
  attempt: string | null;
  writeId: string;
  contentType: string;
  lastModified: string;
  bytes: Uint8Array;
}

async function readState(path: string, signal: AbortSignal): Promise<StoredState> {
  const response = await request(path, { signal, cache: "no-cache" });
  const header = (name: string) => response.headers.get(name) ?? "";
  return {
    revision: header("ETag").replace(/"/g, ""),
    completed: header("State-Completed") === "true",
    attempt: response.headers.get("State-Attempt"),
    writeId: header("State-Write-Id"),
    contentType: header("Content-Type"),
    lastModified: header("Last-Modified"),
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

export function StatePage() {
  const [parameters] = useSearchParams();
  const name: StateName = {
    key: parameters.get("key") ?? "",
    sequence: parameters.get("sequence") ?? "",
    action: parameters.get("action") ?? "",
    event: parameters.get("event"),
  };
  return <OneState key={stateText(name)} name={name} />;
}

function OneState({ name }: { name: StateName }) {
  const state = useLive<StoredState>(statePath(name), readState);
  return (
    <Page
      title={stateText(name)}
      aside={<Link href={`/states${query({ key: name.key })}`}>All states of the key</Link>}
    >
      {state.error?.slug === "state-not-found" ? (
        <p className="card">There is no state of this name. It was never stored, or it has been deleted.</p>
      ) : (
        <Live query={state}>
          {(stored) => (
            <>
              <Facts name={name} state={stored} />
              <Body name={name} bytes={stored.bytes} contentType={stored.contentType} />
            </>
          )}
        </Live>
      )}
      <Timeline name={name} />
    </Page>
  );
}

function Facts({ name, state }: { name: StateName; state: StoredState }) {
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<"delete" | "prune" | null>(null);
  const done = () => void queries.invalidateQueries();
  const close = () => setDialog(null);
  return (
    <section className="card" aria-labelledby="receipt">
      <header className="card-head">
        <h2 id="receipt">Receipt</h2>
        <Badge tone={state.completed ? "good" : "plain"}>{state.completed ? "completed" : "not completed"}</Badge>
        <a href={serviceUrl("/swagger-ui.html")}>Swagger UI</a>
      </header>
      <dl className="facts">
        <div>
          <dt>Revision</dt>
          <dd>
            <code>{state.revision}</code>
          </dd>
        </div>
        <div>
          <dt>Written</dt>
          <dd>
            <Time at={new Date(state.lastModified).toISOString().replace(".000", "")} />
          </dd>
        </div>
        <div>
          <dt>Attempt</dt>
          <dd>
            {state.attempt === null ? (
              "none"
            ) : (
              <Link href={`/attempt${query({ key: name.key })}`}>{state.attempt}</Link>
            )}
          </dd>
        </div>
        <div>
          <dt>Write id</dt>
          <dd>
            <code>{state.writeId}</code>
          </dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd>{bytes(state.bytes.length)}</dd>
        </div>
      </dl>
      <div className="actions">
        <button type="button" onClick={() => setDialog("prune")}>
          Prune the key…
        </button>
        <button type="button" className="danger" onClick={() => setDialog("delete")}>
          Delete…
        </button>
      </div>
      {dialog === "delete" && <DeleteDialog name={name} revision={state.revision} done={done} close={close} />}
      {dialog === "prune" && <PruneDialog name={name} done={done} close={close} />}
    </section>
  );
}

/** The other states of the key in their order, with the attempts that wrote them. */
function Timeline({ name }: { name: StateName }) {
  const states = useLive<ListPage<ListedState>>(`/api/v1/states${query({ key: name.key, limit: 200 })}`);
  const attempts = useLive<ListPage<HeldKey>>(`/api/v1/attempts${query({ prefix: name.key, limit: 1 })}`);
  const holder = attempts.data?.items.find((attempt) => attempt.key === name.key);
  return (
    <section className="card" aria-labelledby="timeline">
      <header className="card-head">
        <h2 id="timeline">States of {name.key}</h2>
        {holder && (
          <Link href={`/attempt${query({ key: name.key })}`}>
            Attempt {holder.attempt}, {holder.closedAt ? "closed" : "open"}
          </Link>
        )}
      </header>
      <Live query={states}>
        {({ items, next }) => (
          <ol className="timeline">
            {items.map((item) => (
              <li key={item.revision} aria-current={stateText(item) === stateText(name) ? "true" : undefined}>
                <Link href={statePage(item)}>
                  {item.sequence} {item.action}
                  {item.event !== null && ` ${item.event}`}
                </Link>{" "}
                <Time at={item.timestamp} />
                {item.attempt !== null && `, attempt ${item.attempt}`}{" "}
                {item.completed && <Badge tone="good">completed</Badge>}
              </li>
            ))}
            {next && (
              <li>
                <Link href={`/states${query({ key: name.key })}`}>more</Link>
              </li>
            )}
          </ol>
        )}
      </Live>
    </section>
  );
}
