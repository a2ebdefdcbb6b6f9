package io.durablestate.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Stores, finds and removes states. Safe for use by any number of threads. */
@Service
public final class DurableStateService {

    /** Deletions of a prune that are under way together. */
    private static final int PRUNE_CHUNK = 500;

    /** How often a read looks again when the body has just been replaced. */
    private static final int READ_ATTEMPTS = 10;

    private final StateLog stateLog;
    private final FoldedLog foldedLog;
    private final Gate gate;
    private final WriteListener listener;

    DurableStateService(StateLog stateLog, FoldedLog foldedLog, Gate gate, List<WriteListener> listeners) {
        this.stateLog = stateLog;
        this.foldedLog = foldedLog;
        this.gate = gate;
        this.listener = new WriteListeners(listeners);
    }

    /**
     * Stores a state: sends its record, flushes the producer, waits for Kafka's acknowledgement of this very record, and
     * only then lets readers see it.
     *
     * <p>A normal return means that the record was acknowledged by every in-sync replica and that a read on this instance
     * sees the state, or one put later. Blocks for at most Kafka's {@code max.block.ms} and {@code delivery.timeout.ms};
     * there is no timeout beside these.
     *
     * @throws StateWriteException when sending, flushing or the acknowledgement failed; the state is not added, and the root
     *     cause is Kafka's failure. Interrupted before sending or while flushing, the thread's interrupt flag is set again.
     * @throws InterruptedException when interrupted while waiting for the acknowledgement; the thread's interrupt flag is set
     *     again and the state is not added
     * @throws NotServingException when the service does not take writes now; nothing was sent
     */
    public PutResult put(StateKey key, StateDocument document) throws InterruptedException {
        StateIndex.Generation generation = begin(Operation.PUT);
        int partition = stateLog.partitionOf(key.key());
        try (Gate.Permit permit = admit(Operation.PUT, key, partition)) {
            boolean isNew = foldedLog.index().find(key) == null;
            PendingWrite write = prepare(Operation.PUT, key, partition, document);
            write.send();
            write.flush();
            RecordMetadata metadata = write.awaitAcknowledgement();
            StateVersion version = write.versionAt(metadata, document);
            boolean replaced = makeVisible(generation, partition, key, version, document.body());
            write.succeeded(metadata);
            return new PutResult(version.receipt(key), isNew && !replaced);
        }
    }

    /**
     * Deletes a state, with the same promise, blocking and exceptions as {@link #put}.
     *
     * @return false when there is no such state, in which case nothing was sent
     */
    public boolean delete(StateKey key) throws InterruptedException {
        StateIndex.Generation generation = begin(Operation.DELETE);
        int partition = stateLog.partitionOf(key.key());
        if (foldedLog.index().find(key) == null) {
            catchUp(Operation.DELETE, key.key(), key, partition);
            if (foldedLog.index().find(key) == null) {
                return false;
            }
        }
        try (Gate.Permit permit = admit(Operation.DELETE, key, partition)) {
            PendingWrite write = prepare(Operation.DELETE, key, partition, null);
            write.send();
            finishDeletion(generation, write);
            return true;
        }
    }

    /**
     * Deletes the states of a key up to a sequence, each with the promise of {@link #delete}; what fails is counted, not
     * thrown, and running it again is safe. Blocks like as many puts one after the other at worst.
     *
     * @param throughSequence the last sequence that is deleted
     * @param completedOnly whether states whose action is not done stay
     * @param dryRun whether to only count
     */
    public PruneResult prune(String key, long throughSequence, boolean completedOnly, boolean dryRun)
            throws InterruptedException {
        begin(Operation.PRUNE);
        catchUp(Operation.PRUNE, key, null, stateLog.partitionOf(key));
        List<StateKey> candidates = pruneCandidates(key, throughSequence, completedOnly);
        if (dryRun) {
            return new PruneResult(candidates.size(), 0);
        }
        int pruned = 0;
        for (int from = 0; from < candidates.size(); from += PRUNE_CHUNK) {
            try {
                pruned += deleteAll(candidates.subList(from, Math.min(from + PRUNE_CHUNK, candidates.size())));
            } catch (StateWriteException | NotServingException e) {
                if (pruned == 0) {
                    throw e;
                }
                break; // The rest counts as failed; running the prune again takes it up.
            }
        }
        return new PruneResult(pruned, candidates.size() - pruned);
    }

    private List<StateKey> pruneCandidates(String key, long throughSequence, boolean completedOnly) {
        List<StateKey> candidates = new ArrayList<>();
        StateFilter filter =
                new StateFilter(key, null, null, throughSequence, null, completedOnly ? true : null, null, null);
        foldedLog.index().scan(filter.start(), (state, version) -> {
            if (filter.matches(state, version)) {
                candidates.add(state);
            }
            return !filter.isPast(state);
        });
        return candidates;
    }

    private int deleteAll(List<StateKey> keys) throws InterruptedException {
        StateIndex.Generation generation = begin(Operation.PRUNE);
        int partition = stateLog.partitionOf(keys.get(0).key());
        int deleted = 0;
        try (Gate.Permit permit = admit(Operation.PRUNE, keys.get(0), partition)) {
            List<PendingWrite> sent = new ArrayList<>();
            for (StateKey key : keys) {
                PendingWrite write = prepare(Operation.PRUNE, key, partition, null);
                if (succeeds(write::send)) {
                    sent.add(write);
                }
            }
            for (PendingWrite write : sent) {
                if (succeeds(() -> finishDeletion(generation, write))) {
                    deleted++;
                }
            }
        }
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new InterruptedException("Interrupted while pruning; what failed is among the failures");
        }
        return deleted;
    }

    /**
     * Takes a step of one write among several; when it fails, that write is among the failures and the others go on. An
     * interrupt stays set, so that the others fail as well, each with its own failure.
     */
    private static boolean succeeds(Step step) {
        try {
            step.take();
            return true;
        } catch (StateWriteException | InterruptedException e) {
            return false;
        }
    }

    private interface Step {
        void take() throws InterruptedException;
    }

    private void finishDeletion(StateIndex.Generation generation, PendingWrite write) throws InterruptedException {
        write.flush();
        RecordMetadata metadata = write.awaitAcknowledgement();
        makeVisible(
                generation,
                metadata.partition(),
                write.key(),
                new Deletion(metadata.offset(), metadata.timestamp()),
                null);
        write.succeeded(metadata);
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
            byte[] body = bodyOf(key, version);
            if (body != null) {
                return Optional.of(new StoredState(version.receipt(key), body));
            }
            stateLog.catchUp(version.partition());
        }
        throw new IllegalStateException("The log has no body where the index says, and nothing newer");
    }

    private byte @Nullable [] bodyOf(StateKey key, StateVersion version) throws InterruptedException {
        byte[] cached = foldedLog.cache().find(key, version);
        if (cached != null) {
            return cached;
        }
        Optional<byte[]> body = stateLog.read(key, version);
        body.ifPresent(bytes -> foldedLog.cache().put(key, version, bytes));
        return body.orElse(null);
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
        List<StatePage.Item> items = new ArrayList<>();
        StateKey[] next = new StateKey[1];
        foldedLog.index().scan(start, (key, version) -> {
            if (filter.isPast(key)) {
                return false;
            }
            if (filter.matches(key, version)) {
                boolean cached = foldedLog.cache().has(key, version);
                if (filter.cached() == null || filter.cached() == cached) {
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

    /** Takes note of which replay a write begins under, so that it cannot show a state to readers of another one. */
    private StateIndex.Generation begin(Operation operation) {
        try {
            gate.requireReplayed();
            return foldedLog.index().generation();
        } catch (NotServingException e) {
            listener.refused(operation, e.reason());
            throw e;
        }
    }

    private Gate.Permit admit(Operation operation, StateKey key, int partition) {
        return beforeSending(operation, key.key(), key, partition, () -> gate.admitWrite(partition));
    }

    private void catchUp(Operation operation, String key, @Nullable StateKey state, int partition) {
        beforeSending(operation, key, state, partition, () -> {
            stateLog.catchUp(partition);
            return true;
        });
    }

    /** What Kafka does not let happen before a record is sent is a failed write as well. */
    private <T> T beforeSending(
            Operation operation, String key, @Nullable StateKey state, int partition, Preparation<T> preparation) {
        long start = System.nanoTime();
        Exception cause;
        try {
            return preparation.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cause = e;
        } catch (NotServingException e) {
            if (!e.reason().isKafkasFault()) {
                listener.refused(operation, e.reason());
                throw e;
            }
            cause = e;
        }
        FailedWrite failure = FailedWrite.unsent(operation, key, state, partition, System.nanoTime() - start, cause);
        listener.failed(failure);
        throw new StateWriteException(failure);
    }

    private interface Preparation<T> {
        T take() throws InterruptedException;
    }

    private PendingWrite prepare(Operation operation, StateKey key, int partition, @Nullable StateDocument document) {
        String writeId = UUID.randomUUID().toString();
        ProducerRecord<byte[], byte[]> record = stateLog.recordOf(partition, key, document, writeId);
        return new PendingWrite(operation, key, writeId, stateLog.laneOf(partition), record, listener);
    }

    /** Says whether readers saw an older version until then. */
    private boolean makeVisible(
            StateIndex.Generation generation,
            int partition,
            StateKey key,
            FoldedState acknowledged,
            byte @Nullable [] body) {
        FoldedState before = generation.raise(partition, key, acknowledged);
        if (!generation.equals(foldedLog.index().generation())) {
            return false;
        }
        foldedLog.keepBody(key, acknowledged, body);
        return before instanceof StateVersion version && version.offset() < acknowledged.offset();
    }
}
