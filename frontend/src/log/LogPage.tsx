import type { Durability, Partition, Status } from "../api/types";
import { Time } from "../format/time";
import { count } from "../format/units";
import { useLive } from "../shell/live";
import { Page } from "../shell/Page";
import { Badge } from "../ui/Badge";
import { Live } from "../ui/Live";
import { Table } from "../ui/Table";
import { settings } from "./settings";

export function LogPage() {
  const durability = useLive<Durability>("/api/v1/durability");
  const status = useLive<Status>("/api/v1/status");
  return (
    <Page title="Log">
      <section aria-labelledby="partitions">
        <h2 id="partitions">Partitions</h2>
        <Live query={durability}>{({ partitions }) => <Partitions partitions={partitions} />}</Live>
        <Live query={status}>{({ lanes }) => <Lanes lanes={lanes} />}</Live>
      </section>
      <section aria-labelledby="settings">
        <h2 id="settings">Settings that the promise rests on</h2>
        <Live query={durability}>{(now) => <Settings durability={now} />}</Live>
      </section>
      <section aria-labelledby="skipped">
        <h2 id="skipped">Records that were not understood</h2>
        <Live query={status}>{(now) => <Skipped status={now} />}</Live>
      </section>
    </Page>
  );
}

function Partitions({ partitions }: { partitions: Partition[] }) {
  if (partitions.length === 0) {
    return <p className="quiet">Kafka has not said yet.</p>;
  }
  return (
    <Table
      label="List of partitions"
      columns={[
        { number: "Partition" },
        "Leader",
        "Replicas",
        "In sync",
        { number: "Offsets, a span and not a count" },
        { number: "Reader at" },
        { number: "Behind by" },
      ]}
    >
      {partitions.map((one) => {
        const isWhole = one.isr.length === one.replicas.length;
        const lag =
          one.endOffset === null || one.readerPosition === null
            ? null
            : Math.max(0, one.endOffset - one.readerPosition);
        return (
          <tr key={one.partition}>
            <td className="number">{one.partition}</td>
            <td>{one.leader ?? <Badge tone="bad">none</Badge>}</td>
            <td>{one.replicas.join(", ")}</td>
            <td>
              {one.isr.join(", ")}{" "}
              {!isWhole && <Badge tone="warn">{`${one.isr.length} of ${one.replicas.length}`}</Badge>}
            </td>
            <td className="number">
              {one.earliestOffset ?? "?"} – {one.endOffset ?? "?"}
            </td>
            <td className="number">{one.readerPosition ?? "?"}</td>
            <td className="number">{lag === null ? "?" : count(lag)}</td>
          </tr>
        );
      })}
    </Table>
  );
}

function Lanes({ lanes }: { lanes: number }) {
  return (
    <p className="quiet">
      {lanes === 1 ? "One lane writes them all" : `Written through ${lanes} lanes`}: partitions of one lane wait for
      each other.
    </p>
  );
}

function Settings({ durability }: { durability: Durability }) {
  return (
    <>
      <Table label="List of settings" columns={["Setting", "Is", "Has to be", "Fits"]}>
        {settings(durability).map((setting) => (
          <tr key={setting.name}>
            <td>
              <code>{setting.name}</code>
            </td>
            <td>{setting.value}</td>
            <td>{setting.demand}</td>
            <td>
              <Badge tone={setting.tone}>
                {setting.tone === "good" ? "fits" : setting.tone === "plain" ? "not known" : "look here"}
              </Badge>
            </td>
          </tr>
        ))}
      </Table>
      {durability.checkedAt && (
        <p className="quiet">
          As Kafka said at <Time at={durability.checkedAt} />.
        </p>
      )}
    </>
  );
}

function Skipped({ status }: { status: Status }) {
  if (status.skippedRecords === 0) {
    return <p className="quiet">None.</p>;
  }
  return (
    <>
      <p>
        {count(status.skippedRecords)} since the last replay began; the newest {status.lastSkipped.length}:
      </p>
      <Table label="List of skipped records" columns={["Time", { number: "Partition" }, { number: "Offset" }, "Why"]}>
        {status.lastSkipped.map((record) => (
          <tr key={`${record.partition}-${record.offset}`}>
            <td>
              <Time at={record.time} />
            </td>
            <td className="number">{record.partition}</td>
            <td className="number">{record.offset}</td>
            <td className="long">{record.reason}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}
