package io.durablestate.state;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A write that was not acknowledged.
 *
 * @param key the business key
 * @param state the state it was for, or null when it was for the key as a whole
 * @param partition the partition it was for
 * @param attempt the attempt it was written for, or null
 * @param writeId stands in the record, so that the log can tell what became of it
 * @param phase the step that failed
 * @param reach how far the record can have got
 * @param cause what the step threw
 */
public record FailedWrite(
        Operation operation,
        String key,
        @Nullable StateKey state,
        int partition,
        @Nullable Long attempt,
        String writeId,
        WritePhase phase,
        Reach reach,
        WriteTimings timings,
        Throwable cause) {

    /** A write that was given up before its first step. */
    static FailedWrite unsent(
            Operation operation,
            String key,
            @Nullable StateKey state,
            int partition,
            long waitedNanos,
            Throwable cause) {
        WriteTimings timings = new WriteTimings(null, null, null, Duration.ofNanos(waitedNanos));
        String writeId = UUID.randomUUID().toString();
        return new FailedWrite(
                operation, key, state, partition, null, writeId, WritePhase.SEND, Reach.NEVER_BUFFERED, timings, cause);
    }
}
