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
    static FailedWrite unsent(StateWrites.Subject subject, long waitedNanos, Throwable cause) {
        String writeId = UUID.randomUUID().toString();
        return unsent(subject, null, writeId, WritePhase.SEND, Duration.ofNanos(waitedNanos), cause);
    }

    /** A write whose terms did not hold when it was to begin. */
    static FailedWrite refused(StateWrites.Subject subject, @Nullable Long attempt, WriteRefusedException refusal) {
        return unsent(subject, attempt, refusal.writeId(), WritePhase.VERDICT, Duration.ZERO, refusal);
    }

    private static FailedWrite unsent(
            StateWrites.Subject subject,
            @Nullable Long attempt,
            String writeId,
            WritePhase phase,
            Duration total,
            Throwable cause) {
        return new FailedWrite(
                subject.operation(),
                subject.key(),
                subject.state(),
                subject.partition(),
                attempt,
                writeId,
                phase,
                Reach.NOT_BEGUN,
                new WriteTimings(null, null, null, total),
                cause);
    }

    /** What the log can be searched for. */
    public WriteIdentity identity() {
        return new WriteIdentity(key, state, writeId);
    }
}
