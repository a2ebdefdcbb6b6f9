package io.durablestate.attempt;

import io.durablestate.state.Attempt;
import io.durablestate.state.ClaimLog;
import io.durablestate.state.ClaimRecord;
import io.durablestate.state.NotServingException;
import io.durablestate.state.StateWriteException;
import io.durablestate.state.WriteRefusedException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Claims keys for attempts, and says who holds them. Safe for use by any number of threads. */
@Service
public final class AttemptService {

    private final ClaimLog claims;
    private final Clock clock;

    AttemptService(ClaimLog claims, Clock clock) {
        this.claims = claims;
        this.clock = clock;
    }

    /**
     * A claim that was acknowledged.
     *
     * @param attempt the attempt that it started
     * @param previous the attempt before it, or null
     */
    public record Claimed(Attempt attempt, @Nullable Attempt previous) {}

    /**
     * Starts an attempt on a key, which fences all before it: their later writes never take effect. When it returns, this
     * instance has read everything that they had written. Blocks like a put with terms.
     *
     * @param worker name of the worker, 1 to 255 bytes; or null
     * @param expectWithin how long the next write of the key may take before it is overdue, or null
     * @throws StateWriteException when it is not certain that the key was claimed
     * @throws NotServingException when the service does not take writes now; nothing was sent
     */
    public Claimed claim(String key, @Nullable String worker, @Nullable Duration expectWithin)
            throws InterruptedException {
        ClaimLog.Written written = claims.claim(key, worker, expectWithin);
        Attempt attempt = written.record().attempt();
        if (attempt == null) {
            throw new IllegalStateException("A claim starts no attempt");
        }
        return new Claimed(
                attempt, written.before() == null ? null : written.before().attempt());
    }

    /**
     * The newest attempt on a key that this instance knows of, open or closed.
     *
     * @throws NotServingException while the log has not been replayed
     */
    public Optional<Holder> find(String key) {
        Attempt attempt = claims.find(key).map(ClaimRecord::attempt).orElse(null);
        return attempt == null
                ? Optional.empty()
                : Optional.of(new Holder(key, attempt, claims.isOverdue(key, clock.instant())));
    }

    /**
     * An attempt and its key.
     *
     * @param overdue whether the next write of the key is overdue
     */
    public record Holder(String key, Attempt attempt, boolean overdue) {}

    /**
     * The newest attempts of keys, in the order of the keys.
     *
     * @param prefix how the keys start, empty for all
     * @param open whether the attempts are open, or null for both
     * @param overdue whether the next write of the key is overdue, or null for both
     * @param after the last key of the page before, null for the first page
     * @param limit most attempts, 1 or more
     * @throws NotServingException while the log has not been replayed
     */
    public List<Holder> list(
            String prefix, @Nullable Boolean open, @Nullable Boolean overdue, @Nullable String after, int limit) {
        Instant now = clock.instant();
        List<Holder> found = new ArrayList<>();
        boolean isPast = after != null && after.compareTo(prefix) >= 0;
        String start = isPast ? Objects.requireNonNull(after) : prefix;
        for (ClaimRecord claim : claims.claimsFrom(start, !isPast)) {
            if (!claim.key().startsWith(prefix)) {
                break;
            }
            Attempt attempt = claim.attempt();
            boolean isOverdue = claims.isOverdue(claim.key(), now);
            if (attempt != null
                    && (open == null || open == (attempt.closedAt() == null))
                    && (overdue == null || overdue == isOverdue)) {
                found.add(new Holder(claim.key(), attempt, isOverdue));
                if (found.size() == limit) {
                    break;
                }
            }
        }
        return found;
    }

    /**
     * Ends an attempt: later writes with it, or with one before it, are refused. To close an attempt that is closed already does
     * nothing. Blocks like a put with terms.
     *
     * @return false when nobody has ever started this attempt
     * @throws WriteRefusedException when a newer attempt has the key
     */
    public boolean close(String key, long number) throws InterruptedException {
        ClaimRecord claim = claims.findNewest(key).orElse(null);
        Attempt current = claim == null ? null : claim.attempt();
        if (claim == null || current == null || number > current.number()) {
            return false;
        }
        if (number < current.number()) {
            throw claims.refuse(claim, number);
        }
        if (current.closedAt() == null) {
            claims.close(claim);
        }
        return true;
    }
}
