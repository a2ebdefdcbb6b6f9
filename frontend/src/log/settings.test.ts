import { expect, it } from "vitest";
import type { Durability } from "../api/types";
import { settings } from "./settings";

const GOOD: Durability = {
  verdict: "replicated",
  reasons: [],
  acks: "all",
  idempotence: true,
  replicationFactor: 3,
  minInsyncReplicas: 2,
  uncleanLeaderElection: false,
  cleanupPolicy: "compact",
  fsyncBeforeAck: false,
  checkedAt: null,
  partitions: [],
};

function faults(changes: Partial<Durability>): string[] {
  return settings({ ...GOOD, ...changes }).flatMap((setting) => (setting.tone === "good" ? [] : [setting.name]));
}

it("finds nothing wrong with a good cluster", () => expect(faults({})).toEqual([]));

it("finds what does not fit", () => {
  expect(faults({ replicationFactor: 1, minInsyncReplicas: 1 })).toEqual([
    "replication.factor",
    "min.insync.replicas",
    "flush before the acknowledgement",
  ]);
  expect(faults({ minInsyncReplicas: 3 })).toEqual(["min.insync.replicas"]);
  expect(faults({ uncleanLeaderElection: true, cleanupPolicy: "compact,delete" })).toHaveLength(2);
});

it("does not call good what Kafka has not said", () => {
  expect(faults({ cleanupPolicy: null })).toEqual(["cleanup.policy"]);
});
