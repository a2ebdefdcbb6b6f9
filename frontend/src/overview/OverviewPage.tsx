import { Link } from "wouter";
import { query } from "../api/client";
import { stateText } from "../api/names";
import type { Durability, Failure, ListedState, Page as ListPage, Status } from "../api/types";
import { Time } from "../format/time";
import { bytes, count, duration } from "../format/units";
import { useLive } from "../shell/live";
import { Page } from "../shell/Page";
import { Badge } from "../ui/Badge";
import { Live } from "../ui/Live";
import { Trends } from "./Trends";
import { VERDICTS } from "./verdicts";

const SHOWN = 10;

export function OverviewPage() {
  return (
    <Page title="Overview">
      <div className="columns">
        <DurabilityCard />
        <InstanceCard />
        <OpenCard />
      </div>
      <Trends />
    </Page>
  );
}

function DurabilityCard() {
  const durability = useLive<Durability>("/api/v1/durability");
  return (
    <section className="card" aria-labelledby="durability">
      <h2 id="durability">What an acknowledgement means</h2>
      <Live query={durability}>
        {({ verdict, reasons }) => (
          <>
            <p className="verdict">
              <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].name}</Badge>
            </p>
            <p>{VERDICTS[verdict].meaning}</p>
            <ul>
              {reasons.map((reason) => (
                <li key={reason}>
                  <Link href="/log">{reason}</Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </Live>
    </section>
  );
}

function InstanceCard() {
  const status = useLive<Status>("/api/v1/status");
  return (
    <section className="card" aria-labelledby="instance">
      <h2 id="instance">This instance</h2>
      <Live query={status}>
        {(now) => (
          <>
            {now.phase !== "ready" && <Recovery status={now} />}
            <dl className="facts">
              <Fact name="States">{count(now.states)}</Fact>
              <Fact name="Bodies in memory">
                {count(now.cachedBodies)}, {bytes(now.cachedBytes)}
              </Fact>
              <Fact name="Found in memory">{Math.round(now.cacheHitRatio * 100)} % of reads</Fact>
              <Fact name="Reader behind by">
                {now.readerLag === null ? "unknown" : `${count(now.readerLag)} offsets`}
              </Fact>
              <Fact name="Lanes">{now.lanes}</Fact>
            </dl>
          </>
        )}
      </Live>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Recovery({ status }: { status: Status }) {
  const recovery = status.recovery;
  return (
    <div className="recovery">
      <p>
        <Badge tone="warn">{status.phase}</Badge> {status.obstacle}
      </p>
      {recovery && (
        <>
          <progress aria-label="Replay of the log" max={100} value={recovery.percent} />
          <p>
            {recovery.percent} %, {count(recovery.records)} records read
            {recovery.secondsLeft !== null && `, about ${duration(recovery.secondsLeft * 1000)} left`}
          </p>
        </>
      )}
    </div>
  );
}

function OpenCard() {
  const overdue = useLive<ListPage<ListedState>>(`/api/v1/states${query({ overdue: true, limit: SHOWN })}`);
  const unknown = useLive<ListPage<Failure>>(`/api/v1/failures${query({ outcome: "unknown", limit: SHOWN })}`);
  return (
    <section className="card" aria-labelledby="open">
      <h2 id="open">To look at</h2>
      <h3>Overdue keys</h3>
      <Live query={overdue}>
        {({ items, next }) => {
          const keys = [...new Set(items.map((item) => item.key))];
          return keys.length === 0 ? (
            <p className="quiet">None.</p>
          ) : (
            <ul>
              {keys.map((key) => (
                <li key={key}>
                  <Link href={`/states${query({ key })}`}>{key}</Link>
                </li>
              ))}
              {next && (
                <li>
                  <Link href="/states?overdue=true">more</Link>
                </li>
              )}
            </ul>
          );
        }}
      </Live>
      <h3>Unknown outcomes</h3>
      <Live query={unknown}>
        {({ items, next }) =>
          items.length === 0 ? (
            <p className="quiet">None.</p>
          ) : (
            <ul>
              {items.map((failure) => (
                <li key={failure.id}>
                  <Link href={`/failure${query({ id: failure.id })}`}>{nameOf(failure)}</Link>,{" "}
                  <Time at={failure.time} />
                </li>
              ))}
              {next && (
                <li>
                  <Link href="/failures?outcome=unknown">more</Link>
                </li>
              )}
            </ul>
          )
        }
      </Live>
    </section>
  );
}

function nameOf(failure: Failure): string {
  const { key, sequence, action, event } = failure;
  return sequence !== null && action !== null ? stateText({ key, sequence, action, event }) : key;
}
