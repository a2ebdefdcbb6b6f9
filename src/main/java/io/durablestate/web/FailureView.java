package io.durablestate.web;

import io.durablestate.failure.Diagnosis;
import io.durablestate.failure.Failure;
import io.durablestate.state.Attempt;
import io.durablestate.state.FailedWrite;
import io.durablestate.state.Refusal;
import io.durablestate.state.StateKey;
import io.durablestate.state.WriteRefusedException;
import io.durablestate.state.WriteTimings;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A failed write, as JSON. */
@Schema(name = "Failure", description = "A write that failed, and what became of it")
record FailureView(
        String id,
        @Schema(example = "2026-01-31T09:30:00.123Z") Instant time,

        @Schema(description = "The instance that it failed on")
        String instance,

        @Schema(allowableValues = {"put", "delete", "prune", "batch", "claim", "restore"})
        String operation,

        @Schema(example = "order-42") String key,

        @Nullable
        @Schema(nullable = true, description = "Null when the write was for the key as a whole", example = "7")
        Long sequence,

        @Nullable @Schema(nullable = true, example = "charge-card")
        String action,

        @Nullable @Schema(nullable = true) String event,
        @Nullable @Schema(nullable = true) Long attempt,
        String writeId,

        @Schema(allowableValues = {"send", "flush", "acknowledgement", "verdict"})
        String phase,

        @Schema(description = "The HTTP status that was answered", example = "504")
        int status,

        @Schema(example = "ack-timeout") String problem,
        Diagnosis.Cause rootCause,

        @Schema(description = "The chain of causes, outermost first")
        List<Diagnosis.Cause> causes,

        @Schema(allowableValues = {"not-persisted", "unknown", "persisted"})
        String outcome,

        @Nullable @Schema(description = "When an unknown outcome became known", nullable = true)
        Instant resolvedAt,

        @Nullable @Schema(description = "Where it turned up in the log", nullable = true)
        String revision,

        @Nullable @Schema(description = "Who wrote, where a newer attempt fenced it and that is known", nullable = true)
        String worker,

        @Nullable @Schema(description = "The attempt that holds the key, where it fenced this one", nullable = true)
        Holder fencedBy,

        Elapsed elapsedMillis,
        @Schema(description = "What the caller should do") String advice) {

    /** Milliseconds that each step took; a step that was not begun is null. */
    @Schema(name = "Elapsed", description = "Milliseconds that each step took; null for a step that was not begun")
    record Elapsed(
            @Nullable Double send,
            @Nullable Double flush,
            @Nullable Double acknowledgement,
            double total) {

        static Elapsed of(WriteTimings timings) {
            return new Elapsed(
                    millis(timings.send()),
                    millis(timings.flush()),
                    millis(timings.acknowledgement()),
                    Objects.requireNonNull(millis(timings.total())));
        }

        private static @Nullable Double millis(@Nullable Duration duration) {
            return duration == null ? null : Math.round(duration.toNanos() / 1_000.0) / 1_000.0;
        }
    }

    /** An attempt that holds a key. */
    @Schema(name = "AttemptHolder", description = "An attempt and its worker")
    record Holder(long attempt, @Nullable String worker) {

        private static @Nullable Holder of(@Nullable Attempt attempt) {
            return attempt == null ? null : new Holder(attempt.number(), attempt.worker());
        }
    }

    private static Refusal.@Nullable Fenced fencedOf(FailedWrite write) {
        return write.cause() instanceof WriteRefusedException refused
                        && refused.refusal() instanceof Refusal.Fenced fenced
                ? fenced
                : null;
    }

    static FailureView of(Failure failure) {
        FailedWrite write = failure.write();
        StateKey state = write.state();
        Diagnosis diagnosis = failure.diagnosis();
        Refusal.Fenced fenced = fencedOf(write);
        return new FailureView(
                failure.id(),
                failure.time(),
                failure.instance(),
                write.operation().word(),
                write.key(),
                state == null ? null : state.sequence(),
                state == null ? null : state.action(),
                state == null ? null : state.event(),
                write.attempt(),
                write.writeId(),
                write.phase().word(),
                diagnosis.problem().status(),
                diagnosis.problem().slug(),
                diagnosis.rootCause(),
                diagnosis.causes(),
                failure.outcome().word(),
                failure.resolvedAt(),
                failure.revision() == null ? null : failure.revision().toString(),
                fenced == null ? null : fenced.worker(),
                fenced == null ? null : Holder.of(fenced.current()),
                Elapsed.of(write.timings()),
                failure.advice());
    }
}
