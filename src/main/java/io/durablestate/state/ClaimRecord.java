package io.durablestate.state;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record that claims a key for an attempt, closes the attempt, or forgets it.
 *
 * @param key the business key
 * @param offset where it lies, which is also the number of the attempt it starts
 * @param timestamp when it was written, in milliseconds since the epoch
 * @param writeId the write that it belongs to
 * @param claim what was claimed, or null when the key's attempt is forgotten
 */
public record ClaimRecord(
        String key,
        long offset,
        long timestamp,
        String writeId,
        @Nullable Claim claim) implements LogRecord {

    @Override
    public String businessKey() {
        return key;
    }

    /** Whether it closes the attempts before it, so that nobody holds the key. */
    public boolean isClosing() {
        return claim != null && claim.closed();
    }

    /** The attempt that it starts or closes; null when it forgets. */
    public @Nullable Attempt attempt() {
        if (claim == null) {
            return null;
        }
        Instant written = Instant.ofEpochMilli(timestamp);
        if (!claim.closed()) {
            return new Attempt(offset, claim.ordinal(), claim.worker(), written, null);
        }
        Attempt closes = claim.other();
        return closes == null
                ? new Attempt(offset, claim.ordinal(), claim.worker(), written, written)
                : new Attempt(closes.number(), closes.ordinal(), closes.worker(), closes.startedAt(), written);
    }

    /**
     * What a claim says.
     *
     * @param worker name of the worker, or null when it gave none
     * @param closed whether it closes the attempts before it instead of starting one
     * @param ordinal how many claims the key had with it, 0 when it does not say
     * @param other the attempt before the one that it starts, or the one that it closes; null when there is none
     * @param expectWithin how long the next write of the key may take, or null
     */
    public record Claim(
            @Nullable String worker,
            boolean closed,
            int ordinal,
            @Nullable Attempt other,
            @Nullable Duration expectWithin) {}
}
