package io.durablestate.state;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A state that is there, without its bytes.
 *
 * @param partition partition of the key
 * @param writtenAt offset of its revision
 * @param offset where its bytes lie: the revision itself, or a later restore of it
 * @param timestamp when its revision was written, in milliseconds since the epoch
 * @param size bytes of the body
 * @param completed whether its action has come to its end
 * @param attempt the attempt that wrote it, or null
 * @param contentType media type of the body
 * @param writeId the write that stored it
 * @param expectWithin how long the next write of the key may take, or null when none is expected
 */
public record StateVersion(
        int partition,
        long writtenAt,
        long offset,
        long timestamp,
        int size,
        boolean completed,
        @Nullable Long attempt,
        String contentType,
        String writeId,
        @Nullable Duration expectWithin)
        implements FoldedState {

    /** A version after which no other write is expected. */
    public StateVersion(
            int partition,
            long writtenAt,
            long offset,
            long timestamp,
            int size,
            boolean completed,
            @Nullable Long attempt,
            String contentType,
            String writeId) {
        this(partition, writtenAt, offset, timestamp, size, completed, attempt, contentType, writeId, null);
    }

    public Revision revision() {
        return new Revision(partition, writtenAt);
    }

    /** What is known about it, without its bytes. */
    public StateReceipt receipt(StateKey key) {
        return new StateReceipt(
                key, revision(), completed, attempt, size, contentType, Instant.ofEpochMilli(timestamp), writeId);
    }
}
