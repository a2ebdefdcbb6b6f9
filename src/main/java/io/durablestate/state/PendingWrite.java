package io.durablestate.state;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.DuplicateSequenceException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.SendResult;

/**
 * One write on its way to Kafka: its steps, how long each took, and what is known when one fails.
 *
 * <p>Used by one thread: {@link #send}, {@link #flush}, {@link #awaitAcknowledgement}, in this order.
 */
final class PendingWrite implements AutoCloseable {

    private final StateWrites.Subject subject;
    private final WriteIdentity identity;
    private final @Nullable Long attempt;
    private final Verdicts.@Nullable Watch watch;
    private final Lane lane;
    private final ProducerRecord<byte[], byte[]> record;
    private final WriteListener listener;
    private final long retriesBefore;
    private final long begin;
    private long sent;
    private long flushed;
    private long ended;

    private WritePhase phase = WritePhase.SEND;
    private @Nullable CompletableFuture<SendResult<byte[], byte[]>> acknowledgement;

    PendingWrite(
            StateWrites.Subject subject,
            WriteIdentity identity,
            @Nullable Long attempt,
            Verdicts.@Nullable Watch watch,
            Lane lane,
            ProducerRecord<byte[], byte[]> record,
            WriteListener listener) {
        this.subject = subject;
        this.identity = identity;
        this.attempt = attempt;
        this.watch = watch;
        this.lane = lane;
        this.record = record;
        this.listener = listener;
        this.retriesBefore = lane.retries();
        this.begin = System.nanoTime();
    }

    String writeId() {
        return identity.writeId();
    }

    /** The version that stands at the place where Kafka acknowledged the record. */
    StateVersion versionAt(RecordMetadata metadata, StateDocument document) {
        return new StateVersion(
                metadata.partition(),
                metadata.offset(),
                metadata.offset(),
                metadata.timestamp(),
                document.body().length,
                document.completed(),
                attempt,
                document.contentType(),
                identity.writeId(),
                document.expectWithin());
    }

    /** Hands the record to the producer. Blocks while there is no metadata or no room in the buffer: {@code max.block.ms}. */
    void send() {
        listener.begun(identity);
        try {
            acknowledgement = lane.kafkaTemplate().send(record);
        } catch (RuntimeException e) {
            throw failure(e, lane.wasRejectedUnbuffered(record) ? Reach.NEVER_BUFFERED : reach());
        }
        sent = System.nanoTime();
    }

    /** Pushes everything on the lane out. Blocks until Kafka has answered: {@code delivery.timeout.ms}. */
    void flush() {
        phase = WritePhase.FLUSH;
        try {
            lane.kafkaTemplate().flush();
        } catch (RuntimeException e) {
            if (e instanceof InterruptException) {
                Thread.currentThread().interrupt();
            }
            throw failure(e, Reach.UNKNOWN);
        }
        flushed = System.nanoTime();
    }

    /**
     * Flushes, unless that was done on this lane already after all of these records were sent.
     *
     * @param flushed the writes that have flushed so far, one for each lane
     */
    void flushOnce(List<PendingWrite> flushed) {
        for (PendingWrite other : flushed) {
            if (lane.kafkaTemplate().equals(other.lane.kafkaTemplate())) {
                phase = WritePhase.FLUSH;
                this.flushed = Math.max(sent, other.flushed);
                return;
            }
        }
        flush();
        flushed.add(this);
    }

    /** Waits for Kafka's word on this very record. Blocks: {@code delivery.timeout.ms}. */
    RecordMetadata awaitAcknowledgement() throws InterruptedException {
        phase = WritePhase.ACKNOWLEDGEMENT;
        if (acknowledgement == null) {
            throw new IllegalStateException("Nothing was sent");
        }
        try {
            RecordMetadata metadata = acknowledgement.get().getRecordMetadata();
            if (!metadata.hasOffset()) {
                throw failure(
                        new DuplicateSequenceException("Kafka has the record already and does not remember where"),
                        Reach.UNKNOWN);
            }
            ended = System.nanoTime();
            lane.release();
            return metadata;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure(e, Reach.UNKNOWN);
            throw e;
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause(), reach());
        }
    }

    /** The write can be read from here on, by this record or, where it is void, by an earlier one of the same write. */
    void succeeded(RecordMetadata metadata) {
        listener.acknowledged(
                subject.operation(), identity, new Revision(metadata.partition(), metadata.offset()), timings());
    }

    /** What the log says of the record that was acknowledged at an offset, null while it says nothing. */
    Verdicts.@Nullable Verdict verdictAt(long offset) {
        return watch == null ? null : watch.at(offset);
    }

    /** The record is void. */
    WriteRefusedException refused(Refusal refusal) {
        phase = WritePhase.VERDICT;
        WriteRefusedException refused = new WriteRefusedException(refusal, identity.writeId());
        listener.failed(failedWrite(refused, Reach.UNKNOWN));
        return refused;
    }

    /** The record was acknowledged, and nobody can tell whether it is void. */
    StateWriteException undecided(Exception cause) {
        phase = WritePhase.VERDICT;
        FailedWrite failure = failedWrite(cause, Reach.UNKNOWN);
        listener.failed(failure);
        return new StateWriteException(failure);
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }

    /** Time since Kafka acknowledged the record. */
    Duration sinceAcknowledgement() {
        return Duration.ofNanos(System.nanoTime() - ended);
    }

    private Reach reach() {
        return lane.retries() == retriesBefore ? Reach.ASKED_ONCE : Reach.UNKNOWN;
    }

    private StateWriteException failure(Throwable cause, Reach reach) {
        ended = System.nanoTime();
        FailedWrite failure = failedWrite(cause, reach);
        lane.failed(cause);
        lane.release();
        listener.failed(failure);
        return new StateWriteException(failure);
    }

    private FailedWrite failedWrite(Throwable cause, Reach reach) {
        return new FailedWrite(
                subject.operation(),
                subject.key(),
                subject.state(),
                subject.partition(),
                attempt,
                identity.writeId(),
                phase,
                reach,
                timings(),
                cause);
    }

    private WriteTimings timings() {
        return new WriteTimings(
                step(begin, sent == 0 ? ended : sent),
                sent == 0 ? null : step(sent, flushed == 0 ? ended : flushed),
                flushed == 0 ? null : step(flushed, ended),
                step(begin, ended));
    }

    private static Duration step(long from, long to) {
        return Duration.ofNanos(to - from);
    }
}
