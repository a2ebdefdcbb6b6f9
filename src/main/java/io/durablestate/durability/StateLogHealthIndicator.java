package io.durablestate.durability;

import io.durablestate.log.LogStatus;
import io.durablestate.state.NotServingException.Reason;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;

/** Answers the question: can this instance serve, and would writes be acknowledged now? Never blocks. */
@Component("stateLogHealthIndicator")
final class StateLogHealthIndicator implements HealthIndicator {

    /** Some keys cannot be written now. No reason to send the others elsewhere, where it is the same. */
    private static final Status DEGRADED = new Status("DEGRADED");

    private final LogStatus status;
    private final DurabilityJudge judge;

    StateLogHealthIndicator(LogStatus status, DurabilityJudge judge) {
        this.status = status;
        this.judge = judge;
    }

    @Override
    public Health health() {
        Durability durability = judge.now();
        String obstacle = status.obstacle();
        Health.Builder health = new Health.Builder(statusOf(durability, status.obstacleKind()))
                .withDetail("phase", status.phase().word())
                .withDetail("verdict", durability.verdict().word())
                .withDetail("reasons", durability.reasons());
        if (obstacle != null) {
            health.withDetail("obstacle", obstacle);
        }
        return health.build();
    }

    private static Status statusOf(Durability durability, @Nullable Reason obstacle) {
        if (obstacle == Reason.KAFKA_REFUSED || obstacle == Reason.KAFKA_UNAVAILABLE || !durability.writable()) {
            return Status.DOWN;
        }
        if (obstacle != null) {
            return Status.OUT_OF_SERVICE;
        }
        return durability.verdict() == Verdict.UNAVAILABLE ? DEGRADED : Status.UP;
    }
}
