package io.durablestate.failure;

import io.durablestate.state.FailedWrite;
import io.durablestate.state.Revision;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A write that failed, and what became of it.
 *
 * @param number counts the failures of this instance from 1
 * @param id names it, also after a restart
 * @param time when it failed
 * @param instance the instance that it failed on
 * @param write what was tried, and where it stopped
 * @param diagnosis what that means
 * @param outcome what is known now
 * @param resolvedAt when an unknown outcome became known, null before
 * @param revision where it turned up in the log, null when it did not
 */
public record Failure(
        long number,
        String id,
        Instant time,
        String instance,
        FailedWrite write,
        Diagnosis diagnosis,
        Outcome outcome,
        @Nullable Instant resolvedAt,
        @Nullable Revision revision) {

    /** What the caller should do, as far as the outcome is known now. */
    public String advice() {
        return outcome == Outcome.PERSISTED
                ? "Nothing: the record is in the log, so the write succeeded late."
                : diagnosis.problem().advice();
    }

    Failure persisted(Instant at, Revision where) {
        return new Failure(number, id, time, instance, write, diagnosis, Outcome.PERSISTED, at, where);
    }

    Failure notPersisted(Instant at) {
        return new Failure(number, id, time, instance, write, diagnosis, Outcome.NOT_PERSISTED, at, null);
    }
}
