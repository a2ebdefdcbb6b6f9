import { Link } from "wouter";
import { query } from "../api/client";
import type { HeldKey, Page as ListPage } from "../api/types";
import { ago, Time } from "../format/time";
import { useLive } from "../shell/live";
import { Page } from "../shell/Page";
import { useAddress } from "../ui/address";
import { Badge } from "../ui/Badge";
import { SelectField, TextField, YES_OR_NO } from "../ui/Field";
import { Live } from "../ui/Live";
import { Pager } from "../ui/Pager";
import { Table } from "../ui/Table";

export function AttemptsPage() {
  const address = useAddress();
  const filters = Object.fromEntries(["prefix", "open", "overdue", "cursor"].map((name) => [name, address.get(name)]));
  const attempts = useLive<ListPage<HeldKey>>(`/api/v1/attempts${query(filters)}`);
  return (
    <Page title="Attempts" aside={<p className="quiet">The newest attempt of each key</p>}>
      <search className="filters">
        <TextField
          label="Key"
          isSearch
          value={address.get("prefix")}
          placeholder="how the key starts"
          change={(prefix) => address.set({ prefix })}
        />
        <SelectField
          label="Open"
          value={address.get("open")}
          change={(open) => address.set({ open })}
          options={YES_OR_NO}
        />
        <SelectField
          label="Overdue"
          value={address.get("overdue")}
          change={(overdue) => address.set({ overdue })}
          options={YES_OR_NO}
        />
        {!address.isEmpty && (
          <button type="button" onClick={address.clear}>
            Clear
          </button>
        )}
      </search>
      <Live query={attempts}>
        {({ items, next }) => (
          <>
            {items.length === 0 ? (
              <p className="quiet">{address.isEmpty ? "No key has been claimed." : "No attempt matches."}</p>
            ) : (
              <Table
                label="List of attempts"
                columns={["Key", "Worker", "Claimed", { number: "Attempt" }, { number: "Claims so far" }, "Is"]}
              >
                {items.map((item) => (
                  <tr key={item.key}>
                    <td className="name">
                      <Link href={`/attempt${query({ key: item.key })}`}>{item.key}</Link>
                    </td>
                    <td className="name">{item.worker ?? <span className="quiet">unnamed</span>}</td>
                    <td>
                      <Time at={item.startedAt} /> <span className="quiet">{ago(item.startedAt)}</span>
                    </td>
                    <td className="number">{item.attempt}</td>
                    <td className="number">{item.ordinal}</td>
                    <td>
                      <AttemptState attempt={item} />
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <Pager next={next} />
          </>
        )}
      </Live>
    </Page>
  );
}

export function AttemptState({ attempt }: { attempt: HeldKey }) {
  return (
    <>
      <Badge tone={attempt.closedAt === null ? "good" : "plain"}>{attempt.closedAt === null ? "open" : "closed"}</Badge>{" "}
      {attempt.overdue && <Badge tone="bad">overdue</Badge>}
    </>
  );
}
