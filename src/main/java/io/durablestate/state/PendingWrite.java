package io.durablestate.state;

import java.time.Duration;
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
final class PendingWrite {

    private final Operation operation;
    private final StateKey key;
    private final String writeId;
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
            Operation operation,
            StateKey key,
            String writeId,
            Lane lane,
            ProducerRecord<byte[], byte[]> record,
            WriteListener listener) {
        this.operation = operation;
        this.key = key;
        this.writeId = writeId;
        this.lane = lane;
        this.record = record;
        this.listener = listener;
        this.retriesBefore = lane.retries();
        this.begin = System.nanoTime();
    }

    StateKey key() {
        return key;
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
                null,
                document.contentType(),
                writeId);
    }

    /** Hands the record to the producer. Blocks while there is no metadata or no room in the buffer: {@code max.block.ms}. */
    void send() {
        listener.begun(key, writeId);
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

    /** The write can be read from here on. */
    void succeeded(RecordMetadata metadata) {
        listener.acknowledged(operation, writeId, new Revision(metadata.partition(), metadata.offset()), timings());
    }

    private Reach reach() {
        return lane.retries() == retriesBefore ? Reach.ASKED_ONCE : Reach.UNKNOWN;
    }

    private StateWriteException failure(Throwable cause, Reach reach) {
        ended = System.nanoTime();
        FailedWrite failure = new FailedWrite(
                operation, key.key(), key, record.partition(), null, writeId, phase, reach, timings(), cause);
        lane.failed(cause);
        lane.release();
        listener.failed(failure);
        return new StateWriteException(failure);
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
