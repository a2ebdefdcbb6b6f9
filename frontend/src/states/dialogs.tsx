import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Problem, parseAnswer, query, request } from "../api/client";
import { statePath, stateText } from "../api/names";
import type { PruneResult, StateName } from "../api/types";
import { count } from "../format/units";
import { Confirm } from "../ui/Confirm";
import { ProblemNote } from "../ui/Live";

interface DialogProps {
  name: StateName;
  done: () => void;
  close: () => void;
}

export function DeleteDialog({ name, revision, done, close }: DialogProps & { revision: string }) {
  async function run() {
    try {
      await request(statePath(name), { method: "DELETE", headers: { "If-Match": `"${revision}"` } });
    } catch (cause) {
      if (cause instanceof Problem && cause.slug === "precondition-failed") {
        throw new Problem(
          cause.status,
          "It has changed meanwhile",
          "Nothing was deleted. Look at what is there now.",
          cause.slug,
        );
      }
      throw cause;
    }
    done();
  }
  return (
    <Confirm title="Delete this state?" action="Delete" run={run} close={close}>
      <p>
        <strong className="name">{stateText(name)}</strong> will be deleted as it is at revision <code>{revision}</code>
        . Other states of the key stay. This cannot be undone.
      </p>
    </Confirm>
  );
}

export function PruneDialog({ name, done, close }: DialogProps) {
  const [completedOnly, setCompletedOnly] = useState(true);
  const address = `/api/v1/states${query({ key: name.key, throughSequence: name.sequence, completedOnly })}`;
  const dryRun = useQuery<PruneResult, Problem>({
    queryKey: ["prune", address],
    queryFn: async ({ signal }) => {
      const response = await request(`${address}&dryRun=true`, { method: "DELETE", signal });
      return parseAnswer<PruneResult>(await response.text());
    },
    staleTime: 0,
  });
  async function run() {
    const response = await request(address, { method: "DELETE" });
    const result = parseAnswer<PruneResult>(await response.text());
    done();
    if (result.failed > 0) {
      throw new Problem(
        response.status,
        `${count(result.failed)} could not be deleted`,
        `${count(result.pruned)} were. The failures have the reasons; pruning again is safe.`,
        null,
      );
    }
  }
  const found = dryRun.data?.pruned ?? 0;
  return (
    <Confirm
      title={`Prune ${name.key}?`}
      action="Prune"
      isReady={!dryRun.isFetching && found > 0}
      run={run}
      close={close}
    >
      <p>
        Deletes the states of <strong className="name">{name.key}</strong> up to and with sequence {name.sequence}. This
        cannot be undone.
      </p>
      <p>
        <label>
          <input type="checkbox" checked={completedOnly} onChange={(event) => setCompletedOnly(event.target.checked)} />{" "}
          only completed ones
        </label>
      </p>
      {dryRun.error ? (
        <ProblemNote problem={dryRun.error} />
      ) : (
        <p role="status">
          {dryRun.data === undefined || dryRun.isFetching
            ? "Counting…"
            : found === 0
              ? "Nothing would be deleted."
              : `${count(found)} ${found === 1 ? "state" : "states"} would be deleted.`}
        </p>
      )}
    </Confirm>
  );
}
