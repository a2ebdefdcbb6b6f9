import { Link } from "wouter";
import { query } from "../api/client";
import { statePage, stateText } from "../api/names";
import type { CauseCount, Failure, Page as ListPage } from "../api/types";
import { Time } from "../format/time";
import { count } from "../format/units";
import { useLive } from "../shell/live";
import { Page } from "../shell/Page";
import { useAddress } from "../ui/address";
import { Badge } from "../ui/Badge";
import { SelectField, TextField } from "../ui/Field";
import { Live } from "../ui/Live";
import { Pager } from "../ui/Pager";
import { Table } from "../ui/Table";
import { causeText, OUTCOMES, problemName, shortType } from "./words";

const FILTERS = ["key", "outcome", "cause", "operation", "cursor"];
const OPERATIONS = ["put", "delete", "prune", "batch", "claim", "restore"];
const ANY = ["", "any"] as const;

export function FailuresPage() {
  const address = useAddress();
  const filters = Object.fromEntries(FILTERS.map((name) => [name, address.get(name)]));
  const failures = useLive<ListPage<Failure>>(`/api/v1/failures${query(filters)}`);
  return (
    <Page title="Failures" aside={<p className="quiet">Writes that failed on this instance, kept in its memory</p>}>
      <Causes />
      <search className="filters">
        <TextField
          label="Key"
          isSearch
          value={address.get("key")}
          placeholder="the whole key"
          change={(key) => address.set({ key })}
        />
        <SelectField
          label="Outcome"
          value={address.get("outcome")}
          change={(outcome) => address.set({ outcome })}
          options={[ANY, ...Object.entries(OUTCOMES).map(([outcome, { name }]) => [outcome, name] as const)]}
        />
        <TextField label="Cause" value={address.get("cause")} change={(cause) => address.set({ cause })} />
        <SelectField
          label="Operation"
          value={address.get("operation")}
          change={(operation) => address.set({ operation })}
          options={[ANY, ...OPERATIONS.map((operation) => [operation, operation] as const)]}
        />
        {!address.isEmpty && (
          <button type="button" onClick={address.clear}>
            Clear
          </button>
        )}
      </search>
      <Live query={failures}>
        {({ items, next }) => (
          <>
            {items.length > 0 ? (
              <FailureTable failures={items} />
            ) : (
              <p className="quiet">{address.isEmpty ? "No write has failed." : "No failure matches."}</p>
            )}
            <Pager next={next} />
          </>
        )}
      </Live>
    </Page>
  );
}

function Causes() {
  const address = useAddress();
  const causes = useLive<CauseCount[]>("/api/v1/failures/causes");
  return (
    <section aria-labelledby="causes">
      <h2 id="causes">Root causes</h2>
      <Live query={causes}>
        {(counts) =>
          counts.length === 0 ? (
            <p className="quiet">None.</p>
          ) : (
            <Table label="Causes and counts" columns={["Cause", { number: "Failures" }, "First", "Last"]}>
              {counts.map((one) => (
                <tr key={one.cause}>
                  <td>
                    <button
                      type="button"
                      className="link"
                      title={one.cause}
                      onClick={() => address.set({ cause: one.cause })}
                    >
                      {shortType(one.cause)}
                    </button>
                  </td>
                  <td className="number">{count(one.count)}</td>
                  <td>
                    <Time at={one.first} />
                  </td>
                  <td>
                    <Time at={one.last} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Live>
    </section>
  );
}

export function FailureTable({ failures }: { failures: Failure[] }) {
  return (
    <Table label="List of failures" columns={["Time", "What", "Of", "Outcome", "Root cause"]}>
      {failures.map((failure) => (
        <tr key={failure.id}>
          <td>
            <Time at={failure.time} />
          </td>
          <td>
            <Link href={`/failure${query({ id: failure.id })}`}>
              {problemName(failure.problem)} <span className="quiet">({failure.operation})</span>
            </Link>
          </td>
          <td className="name">
            <Subject failure={failure} />
          </td>
          <td>
            <Badge tone={OUTCOMES[failure.outcome].tone}>{OUTCOMES[failure.outcome].name}</Badge>
          </td>
          <td className="long">{causeText(failure.rootCause)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** What a failed write was for, with a link to it. */
export function Subject({ failure }: { failure: Failure }) {
  const { key, sequence, action, event } = failure;
  if (sequence === null || action === null) {
    return <Link href={`/states${query({ key })}`}>{key}</Link>;
  }
  const name = { key, sequence, action, event };
  return <Link href={statePage(name)}>{stateText(name)}</Link>;
}
