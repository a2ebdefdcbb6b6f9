package io.durablestate.state;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Stores, finds and removes states. Safe for use by any number of threads. */
@Service
public final class DurableStateService {

    /** How often a read looks again when the body has just been replaced. */
    private static final int READ_ATTEMPTS = 10;

    private final StateLog stateLog;
    private final FoldedLog foldedLog;
    private final Gate gate;
    private final StateWrites writes;
    private final Arbiter arbiter;
    private final Bodies bodies;
    private final Pruner pruner;
    private final Clock clock;

    DurableStateService(
            StateLog stateLog,
            FoldedLog foldedLog,
            Gate gate,
            StateWrites writes,
            Arbiter arbiter,
            Bodies bodies,
            Pruner pruner,
            Clock clock) {
        this.stateLog = stateLog;
        this.foldedLog = foldedLog;
        this.gate = gate;
        this.writes = writes;
        this.arbiter = arbiter;
        this.bodies = bodies;
        this.pruner = pruner;
        this.clock = clock;
    }

    /** Stores a state whatever is there, like {@link #put(StateKey, StateDocument, Terms)}. */
    public PutResult put(StateKey key, StateDocument document) throws InterruptedException {
        return put(key, document, Terms.NONE);
    }

    /**
     * Stores a state: sends its record, flushes the producer, waits for Kafka's acknowledgement of this very record and, when
     * it has terms, for the log's verdict on them, and only then lets readers see it.
     *
     * <p>A normal return means that the record was acknowledged by every in-sync replica, that its terms held at its place in
     * the log, and that a read on this instance sees the state, or one put later. Blocks for at most Kafka's
     * {@code max.block.ms} and {@code delivery.timeout.ms}, there is no timeout beside these; with terms also while this
     * instance reads up to the record, and while it restores what a void record hides.
     *
     * @param terms what must hold for the state to take effect
     * @throws StateWriteException when sending, flushing or the acknowledgement failed; the state is not added, and the root
     *     cause is Kafka's failure. Interrupted before sending or while flushing, the thread's interrupt flag is set again.
     * @throws WriteRefusedException when its terms do not hold; the state is not added and never will be
     * @throws InterruptedException when interrupted while waiting for the acknowledgement or the verdict; the thread's
     *     interrupt flag is set again and the state is not added
     * @throws NotServingException when the service does not take writes now; nothing was sent
     */
    public PutResult put(StateKey key, StateDocument document, Terms terms) throws InterruptedException {
        StateIndex.Generation generation = writes.begin(Operation.PUT);
        StateWrites.Subject subject = writes.subject(Operation.PUT, key);
        StateVersion applied = arbiter.look(subject, key, terms);
        if (applied != null) {
            return PutResult.alreadyApplied(applied.receipt(key));
        }
        try (Gate.Permit permit = writes.admit(subject);
                PendingWrite write = writes.prepare(subject, key, document, terms)) {
            boolean isNew = foldedLog.index().find(key) == null;
            write.send();
            write.flush();
            RecordMetadata metadata = write.awaitAcknowledgement();
            applied = arbiter.judge(write, key, terms, metadata);
            if (applied != null) {
                return PutResult.alreadyApplied(applied.receipt(key));
            }
            StateVersion version = write.versionAt(metadata, document);
            boolean replaced = writes.makeVisible(generation, subject.partition(), key, version, document.body());
            write.succeeded(metadata);
            return new PutResult(version.receipt(key), isNew && !replaced, false);
        }
    }

    /** Deletes a state whatever it is, like {@link #delete(StateKey, Terms)}. */
    public boolean delete(StateKey key) throws InterruptedException {
        return delete(key, Terms.NONE);
    }

    /**
     * Deletes a state, with the same promise, blocking and exceptions as {@link #put}.
     *
     * @return false when there is no such state, in which case nothing was sent
     */
    public boolean delete(StateKey key, Terms terms) throws InterruptedException {
        StateIndex.Generation generation = writes.begin(Operation.DELETE);
        StateWrites.Subject subject = writes.subject(Operation.DELETE, key);
        if (writes.isMissing(subject, key)) {
            return false;
        }
        Terms conditions = terms.withoutName(); // a deletion stores nothing that could bear its name
        arbiter.look(subject, key, conditions);
        try (Gate.Permit permit = writes.admit(subject);
                PendingWrite write = writes.prepare(subject, key, null, terms)) {
            write.send();
            write.flush();
            RecordMetadata metadata = write.awaitAcknowledgement();
            arbiter.judge(write, key, conditions, metadata);
            Deletion deletion = new Deletion(metadata.offset(), metadata.timestamp());
            writes.makeVisible(generation, subject.partition(), key, deletion, null);
            write.succeeded(metadata);
            return true;
        }
    }

    /**
     * Deletes the states of a key up to a sequence, each with the promise of {@link #delete} and only as it was when the prune
     * began: one that is written anew meanwhile stays. What fails is counted, not thrown, and running it again is safe. Blocks
     * like as many puts one after the other at worst.
     *
     * @param throughSequence the last sequence that is deleted
     * @param completedOnly whether states whose action is not done stay
     * @param dryRun whether to only count
     */
    public PruneResult prune(String key, long throughSequence, boolean completedOnly, boolean dryRun)
            throws InterruptedException {
        return pruner.prune(key, throughSequence, completedOnly, dryRun);
    }

    /**
     * What is known about a state, without its bytes.
     *
     * @throws NotServingException while the log has not been replayed
     */
    public Optional<StateReceipt> find(StateKey key) {
        gate.requireReplayed();
        return Optional.ofNullable(foldedLog.index().find(key)).map(version -> version.receipt(key));
    }

    /**
     * Refuses to go on while the log has not been replayed.
     *
     * @throws NotServingException saying why
     */
    public void requireServing() {
        gate.requireReplayed();
    }

    /**
     * Waits until reads of a key are as new as asked. Blocks, at most {@code durable-state.limits.log-read-timeout}.
     *
     * @throws NotServingException when that takes longer, or the log has not been replayed
     * @throws ForeignRevisionException when the revision asked for is none of this key
     */
    public void await(String key, Consistency consistency) throws InterruptedException {
        gate.requireReplayed();
        int partition = stateLog.partitionOf(key);
        Revision atLeast = consistency.atLeast();
        if (atLeast != null) {
            awaitRevision(partition, atLeast);
        }
        if (consistency.strong()) {
            stateLog.catchUp(partition);
        }
        gate.requireReplayed();
    }

    private void awaitRevision(int partition, Revision revision) throws InterruptedException {
        if (revision.partition() != partition) {
            throw new ForeignRevisionException(revision, partition);
        }
        if (!writes.awaitFolded(partition, revision.offset())) {
            throw new NotServingException(
                    NotServingException.Reason.RECOVERING,
                    "This instance has not come to the revision %s in time; it is at %s"
                            .formatted(revision, new Revision(partition, foldedLog.position(partition))));
        }
    }

    /**
     * Waits until reads of every key see all that any instance had acknowledged before. Blocks as {@link #await} does, for one
     * partition after the other.
     */
    public void awaitAll() throws InterruptedException {
        gate.requireReplayed();
        for (int partition = 0; partition < stateLog.partitions(); partition++) {
            stateLog.catchUp(partition);
        }
        gate.requireReplayed();
    }

    /**
     * A state with its bytes, from memory or from the log. Blocks while Kafka is asked for the bytes.
     *
     * @throws NotServingException while the log has not been replayed, or when the bytes must come from Kafka and it does
     *     not answer
     */
    public Optional<StoredState> read(StateKey key) throws InterruptedException {
        gate.requireReplayed();
        for (int i = 0; i < READ_ATTEMPTS; i++) {
            StateVersion version = foldedLog.index().find(key);
            if (version == null) {
                return Optional.empty();
            }
            byte[] body = bodies.of(key, version);
            if (body != null) {
                return Optional.of(new StoredState(version.receipt(key), body));
            }
            stateLog.catchUp(version.partition());
        }
        throw new IllegalStateException("The log has no body where the index says, and nothing newer");
    }

    /**
     * States in the order of their keys. A state that is there all the time is found exactly once by who follows the pages.
     *
     * @param after the last state of the page before, null for the first page
     * @param limit most states on the page, 1 or more
     * @throws NotServingException while the log has not been replayed
     */
    public StatePage list(StateFilter filter, @Nullable StateKey after, int limit) {
        gate.requireReplayed();
        StateKey start = after == null || after.compareTo(filter.start()) < 0 ? filter.start() : after;
        Instant now = clock.instant();
        List<StatePage.Item> items = new ArrayList<>();
        StateKey[] next = new StateKey[1];
        foldedLog.index().scan(start, (key, version) -> {
            if (filter.isPast(key)) {
                return false;
            }
            if (filter.matches(key, version)) {
                boolean cached = foldedLog.cache().has(key, version);
                if ((filter.cached() == null || filter.cached() == cached) && isAsOverdue(filter, key, now)) {
                    if (items.size() == limit) {
                        next[0] = items.get(limit - 1).receipt().key();
                        return false;
                    }
                    items.add(new StatePage.Item(version.receipt(key), cached));
                }
            }
            return true;
        });
        return new StatePage(items, next[0]);
    }

    /**
     * How many states a key has.
     *
     * @param attempt the attempt whose own states are counted
     * @throws NotServingException while the log has not been replayed
     */
    public StateCounts count(String key, long attempt) {
        gate.requireReplayed();
        StateFilter filter = StateFilter.ofKey(key);
        int[] counts = new int[3];
        foldedLog.index().scan(filter.start(), (state, version) -> {
            if (filter.isPast(state)) {
                return false;
            }
            counts[0]++;
            counts[1] += version.completed() ? 1 : 0;
            counts[2] += version.attempt() != null && version.attempt() == attempt ? 1 : 0;
            return true;
        });
        return new StateCounts(counts[0], counts[1], counts[2]);
    }

    private boolean isAsOverdue(StateFilter filter, StateKey key, Instant now) {
        return filter.overdue() == null
                || filter.overdue() == foldedLog.deadlines().isOverdue(key.key(), now);
    }
}
