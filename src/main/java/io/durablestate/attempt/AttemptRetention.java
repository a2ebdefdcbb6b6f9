package io.durablestate.attempt;

import io.durablestate.DurableStateProperties;
import io.durablestate.state.Attempt;
import io.durablestate.state.ClaimLog;
import io.durablestate.state.ClaimRecord;
import io.durablestate.state.NotServingException;
import io.durablestate.state.StateWriteException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Forgets attempts that were closed long ago. */
@Component
final class AttemptRetention {

    private static final Logger log = LoggerFactory.getLogger(AttemptRetention.class);

    /** Attempts forgotten in one go; the next look takes up the rest. */
    private static final int MOST_AT_ONCE = 1_000;

    private final ClaimLog claims;
    private final Duration retention;
    private final Clock clock;

    AttemptRetention(DurableStateProperties properties, ClaimLog claims, Clock clock) {
        this.claims = claims;
        this.retention = properties.attempts().retention();
        this.clock = clock;
    }

    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT10M")
    void forgetOldOnes() {
        Instant before = clock.instant().minus(retention);
        try {
            List<ClaimRecord> old = claims.claimsFrom("", true).stream()
                    .filter(claim -> isClosedBefore(claim, before))
                    .limit(MOST_AT_ONCE)
                    .toList();
            for (ClaimRecord claim : old) {
                claims.forget(claim);
            }
        } catch (NotServingException | StateWriteException e) {
            log.debug("Old attempts cannot be forgotten now", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isClosedBefore(ClaimRecord claim, Instant time) {
        Attempt attempt = claim.attempt();
        return claim.isClosing()
                && attempt != null
                && attempt.closedAt() != null
                && attempt.closedAt().isBefore(time);
    }
}
