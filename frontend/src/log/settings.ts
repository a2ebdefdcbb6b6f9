import type { Durability } from "../api/types";
import type { Tone } from "../ui/Badge";

export interface Setting {
  name: string;
  value: string;
  demand: string;
  /** Plain when Kafka has not said what it is. */
  tone: Tone;
}

/** The settings that durability rests on, and whether each is as it has to be. */
export function settings(durability: Durability): Setting[] {
  const { replicationFactor, minInsyncReplicas, uncleanLeaderElection, cleanupPolicy, fsyncBeforeAck } = durability;
  const isReplicated = (replicationFactor ?? 0) > 1;
  return [
    setting("acks", durability.acks, "all", (acks) => acks === "all"),
    setting("enable.idempotence", durability.idempotence, "true", (is) => is),
    setting(
      "replication.factor",
      replicationFactor,
      "3 or more, to survive the loss of a broker",
      (copies) => copies >= 3,
    ),
    setting(
      "min.insync.replicas",
      minInsyncReplicas,
      "2 or more, and less than the replicas",
      (copies) => copies >= 2 && copies < (replicationFactor ?? 0),
    ),
    setting("unclean.leader.election.enable", uncleanLeaderElection, "false", (is) => !is),
    setting("cleanup.policy", cleanupPolicy, "compact, and nothing else", (policy) => policy === "compact"),
    setting(
      "flush before the acknowledgement",
      fsyncBeforeAck,
      isReplicated ? "not needed with several copies" : "true with a single copy",
      (is) => is || isReplicated,
    ),
  ];
}

function setting<T>(name: string, value: T | null, demand: string, fits: (value: T) => boolean): Setting {
  const tone = value === null ? "plain" : fits(value) ? "good" : "warn";
  return { name, value: value === null ? "–" : String(value), demand, tone };
}
