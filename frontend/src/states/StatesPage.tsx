import { useState } from "react";
import { Link, useLocation } from "wouter";
import { serviceUrl } from "../api/base";
import { query } from "../api/client";
import { parseStateText, statePage } from "../api/names";
import type { ListedState, Page as ListPage } from "../api/types";
import { Time } from "../format/time";
import { bytes } from "../format/units";
import { useLive } from "../shell/live";
import { Page } from "../shell/Page";
import { useAddress } from "../ui/address";
import { Badge } from "../ui/Badge";
import { Command } from "../ui/Copy";
import { SelectField, TextField, YES_OR_NO } from "../ui/Field";
import { Live } from "../ui/Live";
import { Pager } from "../ui/Pager";
import { Table } from "../ui/Table";

const FILTERS = [
  "key",
  "prefix",
  "action",
  "completed",
  "attempt",
  "cached",
  "overdue",
  "sequenceFrom",
  "sequenceTo",
  "cursor",
];
const LIMITS = ["50", "100", "500", "1000"].map((limit) => [limit === "50" ? "" : limit, limit] as const);

export function StatesPage() {
  const address = useAddress();
  const filters = Object.fromEntries(FILTERS.map((name) => [name, address.get(name)]));
  const states = useLive<ListPage<ListedState>>(`/api/v1/states${query({ ...filters, limit: address.get("limit") })}`);
  return (
    <Page title="States" aside={<OpenByName />}>
      <search className="filters">
        <KeySearch />
        {(["action", "attempt"] as const).map((name) => (
          <TextField
            key={name}
            label={capital(name)}
            value={address.get(name)}
            change={(value) => address.set({ [name]: value })}
          />
        ))}
        {(["completed", "overdue", "cached"] as const).map((name) => (
          <SelectField
            key={name}
            label={name === "cached" ? "In memory" : capital(name)}
            value={address.get(name)}
            change={(value) => address.set({ [name]: value })}
            options={YES_OR_NO}
          />
        ))}
        <TextField
          label="Sequence from"
          isNumber
          value={address.get("sequenceFrom")}
          change={(value) => address.set({ sequenceFrom: value })}
        />
        <TextField
          label="to"
          isNumber
          value={address.get("sequenceTo")}
          change={(value) => address.set({ sequenceTo: value })}
        />
        <SelectField
          label="On a page"
          value={address.get("limit")}
          change={(limit) => address.set({ limit })}
          options={LIMITS}
        />
        {!address.isEmpty && (
          <button type="button" onClick={address.clear}>
            Clear
          </button>
        )}
      </search>
      <Live query={states}>
        {({ items, next }) => (
          <>
            {items.length > 0 ? <StateTable states={items} /> : <Empty isFiltered={!address.isEmpty} />}
            <Pager next={next} />
          </>
        )}
      </Live>
    </Page>
  );
}

function KeySearch() {
  const address = useAddress();
  const isExact = address.get("key") !== "";
  const [chosen, choose] = useState<"key" | "prefix">(isExact ? "key" : "prefix");
  const text = address.get(chosen);
  return (
    <>
      <TextField
        label="Key"
        isSearch
        value={text}
        placeholder={chosen === "key" ? "the whole key" : "how the key starts"}
        change={(value) => address.set({ key: "", prefix: "", [chosen]: value })}
      />
      <SelectField
        label="Match"
        value={chosen}
        options={[
          ["prefix", "starts with"],
          ["key", "is exactly"],
        ]}
        change={(value) => {
          const other = value === "key" ? "key" : "prefix";
          choose(other);
          address.set({ key: "", prefix: "", [other]: text });
        }}
      />
    </>
  );
}

function OpenByName() {
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      className="open-by-name"
      onSubmit={(event) => {
        event.preventDefault();
        const name = parseStateText(text);
        setWrong(name === null);
        if (name !== null) {
          navigate(statePage(name));
        }
      }}
    >
      <input
        type="text"
        aria-label="Full name of a state"
        placeholder="key/sequence/action/event"
        value={text}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? "wrong-name" : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit">Open</button>
      {isWrong && (
        <p id="wrong-name" role="alert">
          Write key/sequence/action, or key/sequence/action/event; a slash within a name is %2F.
        </p>
      )}
    </form>
  );
}

export function StateTable({ states }: { states: ListedState[] }) {
  return (
    <Table
      label="List of states"
      columns={[
        "Key",
        { number: "Sequence" },
        "Action",
        "Event",
        "Written",
        { number: "Size" },
        { number: "Attempt" },
        "Revision",
        "Is",
      ]}
    >
      {states.map((state) => (
        <tr key={state.revision}>
          <td className="name">{state.key}</td>
          <td className="number">{state.sequence}</td>
          <td className="name">
            <Link href={statePage(state)}>{state.action}</Link>
          </td>
          <td className="name">{state.event ?? ""}</td>
          <td>
            <Time at={state.timestamp} />
          </td>
          <td className="number">{bytes(state.size)}</td>
          <td className="number">{state.attempt ?? ""}</td>
          <td>
            <code>{state.revision}</code>
          </td>
          <td>
            {state.completed && <Badge tone="good">completed</Badge>}{" "}
            {!state.cached && <Badge tone="plain">on disk</Badge>}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const example = new URL(serviceUrl("/api/v1/states/order-42/1/charge-card"), window.location.href).href;
  return isFiltered ? (
    <p className="quiet">No state matches.</p>
  ) : (
    <div className="card">
      <p>There is no state yet. Store the first one:</p>
      <Command
        text={`curl -X PUT ${example} \\\n  -H 'Content-Type: application/json' \\\n  -d '{"step":"charged","amount":12.50}'`}
      />
    </div>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
