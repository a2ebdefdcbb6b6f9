export type Verdict = "replicated" | "single-copy" | "at-risk" | "unavailable";
export type Outcome = "not-persisted" | "unknown" | "persisted";
export type Phase = "starting" | "recovering" | "ready" | "stopping";

export interface Partition {
  partition: number;
  leader: number | null;
  replicas: number[];
  isr: number[];
  earliestOffset: number | null;
  endOffset: number | null;
  readerPosition: number | null;
}

export interface Durability {
  verdict: Verdict;
  reasons: string[];
  acks: string;
  idempotence: boolean;
  replicationFactor: number | null;
  minInsyncReplicas: number | null;
  uncleanLeaderElection: boolean | null;
  cleanupPolicy: string | null;
  fsyncBeforeAck: boolean | null;
  checkedAt: string | null;
  partitions: Partition[];
}

export interface SkippedRecord {
  partition: number;
  offset: number;
  time: string;
  reason: string;
}

export interface Status {
  instance: string;
  version: string;
  phase: Phase;
  obstacle: string | null;
  recovery: { records: number; percent: number; secondsLeft: number | null } | null;
  states: number;
  cachedBodies: number;
  cachedBytes: number;
  cacheHitRatio: number;
  lanes: number;
  readerLag: number | null;
  skippedRecords: number;
  lastSkipped: SkippedRecord[];
}

export interface Quantiles {
  p50: number;
  p99: number;
}

export interface Sample {
  time: string;
  writesPerSecond: number;
  failuresPerSecond: Record<string, number>;
  readerLag: number | null;
  putMillis: Record<string, Quantiles>;
}

/** The name of a state. The sequence is text, since a number of JavaScript does not hold all of them. */
export interface StateName {
  key: string;
  sequence: string;
  action: string;
  event: string | null;
}

export interface Receipt extends StateName {
  revision: string;
  completed: boolean;
  attempt: number | null;
  size: number;
  contentType: string;
  timestamp: string;
  writeId: string;
}

export interface ListedState extends Receipt {
  cached: boolean;
}

export interface Page<T> {
  items: T[];
  next: string | null;
}

export interface Cause {
  type: string;
  message: string | null;
}

export interface CauseCount {
  cause: string;
  count: number;
  first: string;
  last: string;
}

export interface Attempt {
  attempt: number;
  ordinal: number;
  worker: string | null;
  startedAt: string;
  closedAt: string | null;
}

export interface HeldKey extends Attempt {
  key: string;
  overdue: boolean;
  states?: { total: number; completed: number; ofAttempt: number };
}

export interface Failure {
  id: string;
  time: string;
  instance: string;
  operation: string;
  key: string;
  sequence: string | null;
  action: string | null;
  event: string | null;
  attempt: number | null;
  writeId: string;
  phase: string;
  status: number;
  problem: string;
  rootCause: Cause;
  causes: Cause[];
  outcome: Outcome;
  resolvedAt: string | null;
  revision: string | null;
  worker: string | null;
  fencedBy: Attempt | null;
  elapsedMillis: { send: number | null; flush: number | null; acknowledgement: number | null; total: number };
  advice: string;
}

export interface PruneResult {
  key: string;
  throughSequence: number;
  pruned: number;
  failed: number;
}
