import { Link, useSearchParams } from "wouter";
import { serviceUrl } from "../api/base";
import { query } from "../api/client";
import type { Failure } from "../api/types";
import { Time } from "../format/time";
import { duration } from "../format/units";
import { useLive } from "../shell/live";
import { Page } from "../shell/Page";
import { Badge } from "../ui/Badge";
import { Live } from "../ui/Live";
import { Subject } from "./FailuresPage";
import { causeText, OUTCOMES, problemName, retryAdvice } from "./words";

export function FailurePage() {
  const [parameters] = useSearchParams();
  const id = parameters.get("id") ?? "";
  return <OneFailure key={id} id={id} />;
}

function OneFailure({ id }: { id: string }) {
  const failure = useLive<Failure>(`/api/v1/failures/${encodeURIComponent(id)}`);
  return (
    <Page
      title={failure.data ? problemName(failure.data.problem) : "Failure"}
      aside={<Link href="/failures">All failures</Link>}
    >
      <Live query={failure}>{(one) => <Details failure={one} />}</Live>
    </Page>
  );
}

function Details({ failure }: { failure: Failure }) {
  const outcome = OUTCOMES[failure.outcome];
  return (
    <>
      <section className="card" aria-labelledby="outcome">
        <header className="card-head">
          <h2 id="outcome">Outcome</h2>
          <Badge tone={outcome.tone}>{outcome.name}</Badge>
        </header>
        <p>{outcome.meaning}</p>
        {failure.resolvedAt && (
          <p>
            Known since <Time at={failure.resolvedAt} />
            {failure.revision && (
              <>
                , as revision <code>{failure.revision}</code>
              </>
            )}
            .
          </p>
        )}
        <dl className="facts">
          <div>
            <dt>What to do</dt>
            <dd>{failure.advice}</dd>
          </div>
          <div>
            <dt>Is a retry safe?</dt>
            <dd>{retryAdvice(failure)}</dd>
          </div>
        </dl>
      </section>
      <section className="card" aria-labelledby="cause">
        <h2 id="cause">Root cause</h2>
        <p className="name">{causeText(failure.rootCause)}</p>
        {failure.causes.length > 1 && (
          <details>
            <summary>The chain of causes</summary>
            <ol>
              {failure.causes.map((cause) => (
                <li key={`${cause.type} ${cause.message}`} className="name">
                  {causeText(cause)}
                </li>
              ))}
            </ol>
          </details>
        )}
        <p>
          <a href={serviceUrl(`/problems/${failure.problem}`)}>What {failure.problem} means</a>
        </p>
      </section>
      <section className="card" aria-labelledby="phases">
        <h2 id="phases">Where the time went</h2>
        <Phases failure={failure} />
      </section>
      <section className="card" aria-labelledby="write">
        <h2 id="write">The write</h2>
        <dl className="facts">
          <div>
            <dt>Of</dt>
            <dd className="name">
              <Subject failure={failure} />
            </dd>
          </div>
          <div>
            <dt>Operation</dt>
            <dd>
              {failure.operation}, answered with {failure.status}
            </dd>
          </div>
          <div>
            <dt>Time</dt>
            <dd>
              <Time at={failure.time} />
            </dd>
          </div>
          <div>
            <dt>Attempt</dt>
            <dd>
              <Link href={`/attempt${query({ key: failure.key })}`}>{failure.attempt ?? "those of the key"}</Link>
              {failure.worker && `, worker ${failure.worker}`}
            </dd>
          </div>
          {failure.fencedBy && (
            <div>
              <dt>Fenced by</dt>
              <dd>
                attempt {failure.fencedBy.attempt}
                {failure.fencedBy.worker && `, worker ${failure.fencedBy.worker}`}
              </dd>
            </div>
          )}
          <div>
            <dt>Write id</dt>
            <dd>
              <code>{failure.writeId}</code>
            </dd>
          </div>
          <div>
            <dt>Instance</dt>
            <dd>{failure.instance}</dd>
          </div>
        </dl>
      </section>
    </>
  );
}

const PHASES = ["send", "flush", "acknowledgement"] as const;

function Phases({ failure }: { failure: Failure }) {
  const { elapsedMillis, phase } = failure;
  const total = Math.max(elapsedMillis.total, 0.001);
  return (
    <>
      <div className="phases" aria-hidden="true">
        {PHASES.map((name) => (
          <div key={name} className={name} style={{ flexGrow: (elapsedMillis[name] ?? 0) / total }} />
        ))}
      </div>
      <dl className="facts">
        {PHASES.map((name) => {
          const millis = elapsedMillis[name];
          return (
            <div key={name}>
              <dt>
                <span className={`swatch ${name}`} aria-hidden="true" /> {name}
              </dt>
              <dd>
                {millis === null ? "not begun" : duration(millis)}
                {phase === name && ", failed"}
              </dd>
            </div>
          );
        })}
        <div>
          <dt>in all</dt>
          <dd>
            {duration(elapsedMillis.total)}
            {phase === "verdict" && ", refused by the log"}
          </dd>
        </div>
      </dl>
    </>
  );
}
