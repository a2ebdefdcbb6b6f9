package io.durablestate.state;

import io.durablestate.DurableStateProperties;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What all kinds of writes have in common: whether they may begin, what they wait for, and who hears of them. */
@Component
final class StateWrites {

    private final StateLog stateLog;
    private final FoldedLog foldedLog;
    private final Gate gate;
    private final WriteListener listener;
    private final Duration readTimeout;

    StateWrites(
            DurableStateProperties properties,
            StateLog stateLog,
            FoldedLog foldedLog,
            Gate gate,
            List<WriteListener> listeners) {
        this.stateLog = stateLog;
        this.foldedLog = foldedLog;
        this.gate = gate;
        this.listener = new WriteListeners(listeners);
        this.readTimeout = properties.limits().logReadTimeout();
    }

    /** What a write is for: a key, and a state of it or the key as a whole. */
    record Subject(
            Operation operation, String key, @Nullable StateKey state, int partition) {}

    Subject subject(Operation operation, StateKey state) {
        return new Subject(operation, state.key(), state, stateLog.partitionOf(state.key()));
    }

    Subject subject(Operation operation, String key) {
        return new Subject(operation, key, null, stateLog.partitionOf(key));
    }

    /** Takes note of which replay a write begins under, so that it cannot show a state to readers of another one. */
    StateIndex.Generation begin(Operation operation) {
        try {
            gate.requireReplayed();
            return foldedLog.index().generation();
        } catch (NotServingException e) {
            listener.refused(operation, e.reason());
            throw e;
        }
    }

    /** Lets a write in. Waits, at most {@code max.block.ms}, while Kafka does not answer. */
    Gate.Permit admit(Subject subject) {
        return beforeSending(subject, () -> gate.admitWrite(subject.partition()));
    }

    /** Refuses a conditional write while this instance is too far behind the log to hear of its verdict soon. */
    void requireFollowing(Subject subject) {
        beforeSending(subject, () -> {
            gate.requireFollowing(subject.partition());
            return true;
        });
    }

    /** Waits until this instance knows what any instance had acknowledged before. */
    void catchUp(Subject subject) {
        beforeSending(subject, () -> {
            stateLog.catchUp(subject.partition());
            return true;
        });
    }

    /** Whether there is no such state, as far as any instance knows. Blocks while it catches up, when there seems to be none. */
    boolean isMissing(Subject subject, StateKey key) {
        if (foldedLog.index().find(key) != null) {
            return false;
        }
        catchUp(subject);
        return foldedLog.index().find(key) == null;
    }

    /** What Kafka does not let happen before a record is sent is a failed write as well. */
    private <T> T beforeSending(Subject subject, Preparation<T> preparation) {
        long start = System.nanoTime();
        Exception cause;
        try {
            return preparation.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cause = e;
        } catch (NotServingException e) {
            if (!e.reason().isKafkasFault()) {
                listener.refused(subject.operation(), e.reason());
                throw e;
            }
            cause = e;
        }
        throw unsent(subject, System.nanoTime() - start, cause);
    }

    /** A write that is given up for what has kept another one from being sent. */
    StateWriteException unsent(Subject subject, NotServingException cause) {
        return unsent(subject, 0, cause);
    }

    private StateWriteException unsent(Subject subject, long waitedNanos, Exception cause) {
        FailedWrite failure = FailedWrite.unsent(subject, waitedNanos, cause);
        listener.failed(failure);
        return new StateWriteException(failure);
    }

    private interface Preparation<T> {
        T take() throws InterruptedException;
    }

    /** A write of a state, or of its deletion when there is no document. */
    PendingWrite prepare(Subject subject, StateKey state, @Nullable StateDocument document, Terms terms) {
        String writeId = terms.writeId();
        WriteIdentity identity = WriteIdentity.of(state, writeId);
        Verdicts.Watch watch = terms.areConditional() ? foldedLog.verdicts().watch(identity) : null;
        ProducerRecord<byte[], byte[]> record = stateLog.recordOf(subject.partition(), state, document, terms, writeId);
        return pending(subject, identity, terms.attempt(), watch, record);
    }

    /** A restore of a state. */
    PendingWrite prepare(Subject subject, StateKey state, Restore restore) {
        ProducerRecord<byte[], byte[]> record = stateLog.restoreOf(subject.partition(), state, restore);
        WriteIdentity identity = WriteIdentity.ofRestore(state, restore.writeId(), restore.asOf());
        return pending(subject, identity, null, null, record);
    }

    /** A claim of a key, the end of one, or that it is forgotten when there is none. */
    PendingWrite prepare(Subject subject, ClaimRecord.@Nullable Claim claim) {
        String writeId = Terms.NONE.writeId();
        ProducerRecord<byte[], byte[]> record = stateLog.claimOf(subject.partition(), subject.key(), claim, writeId);
        WriteIdentity identity = new WriteIdentity(subject.key(), null, writeId);
        return pending(subject, identity, null, foldedLog.verdicts().watch(identity), record);
    }

    private PendingWrite pending(
            Subject subject,
            WriteIdentity identity,
            @Nullable Long attempt,
            Verdicts.@Nullable Watch watch,
            ProducerRecord<byte[], byte[]> record) {
        return new PendingWrite(
                subject, identity, attempt, watch, stateLog.laneOf(subject.partition()), record, listener);
    }

    /** A conditional write that is not even sent, since what it asks for does not hold. */
    WriteRefusedException refuse(Subject subject, Terms terms, Refusal refusal) {
        WriteRefusedException refused = new WriteRefusedException(refusal, terms.writeId());
        listener.failed(FailedWrite.refused(subject, terms.attempt(), refused));
        return refused;
    }

    /**
     * Waits until this instance has folded the record at an offset, at most {@code durable-state.limits.log-read-timeout}.
     *
     * @return whether it has
     */
    boolean awaitFolded(int partition, long offset) throws InterruptedException {
        return foldedLog.awaitPosition(partition, offset + 1, readTimeout);
    }

    /**
     * Waits for the fold's word on an acknowledged record, as long as for {@link #awaitFolded}, counted from the
     * acknowledgement: several wait no longer than one.
     *
     * @throws StateWriteException when this instance does not come to the record in time: the outcome is unknown
     * @throws InterruptedException when interrupted, in which case the outcome is unknown as well
     */
    Verdicts.Verdict awaitVerdict(PendingWrite write, RecordMetadata at) throws InterruptedException {
        Duration left = readTimeout.minus(write.sinceAcknowledgement());
        Verdicts.Verdict verdict = null;
        try {
            if (foldedLog.awaitPosition(at.partition(), at.offset() + 1, left.isNegative() ? Duration.ZERO : left)) {
                verdict = write.verdictAt(at.offset());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            write.undecided(e);
            throw e;
        }
        if (verdict == null) {
            throw write.undecided(new TimeoutException(
                    "Kafka acknowledged the record at %s, but this instance did not come to read it in time, so nobody knows yet whether it took effect"
                            .formatted(new Revision(at.partition(), at.offset()))));
        }
        return verdict;
    }

    /**
     * Shows an acknowledged write to readers, unless the log was replayed since it began.
     *
     * @return whether readers saw an older version until then
     */
    boolean makeVisible(
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
