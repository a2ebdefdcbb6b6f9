package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/** Why a conditional write did not take effect. */
public sealed interface Refusal {

    /**
     * A newer claim has fenced the attempt that wrote.
     *
     * @param attempt number of the attempt that wrote
     * @param worker who that was, as far as the newer claim tells; else null
     * @param current the attempt that holds the key, or held it when it is closed
     * @param closed whether the attempt was closed, so that nobody holds the key
     */
    record Fenced(
            long attempt, @Nullable String worker, @Nullable Attempt current, boolean closed) implements Refusal {

        static Fenced by(ClaimRecord claim, long attempt) {
            Attempt other = claim.claim() == null ? null : claim.claim().other();
            String worker = other != null && other.number() == attempt ? other.worker() : null;
            return new Fenced(attempt, worker, claim.attempt(), claim.isClosing());
        }
    }

    /**
     * The state is not what was expected.
     *
     * @param current the revision that is in effect, or null when there is no state
     */
    record Mismatch(@Nullable Revision current) implements Refusal {}
}
