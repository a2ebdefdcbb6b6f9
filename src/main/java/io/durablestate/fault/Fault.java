package io.durablestate.fault;

import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.Operation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the next writes meet that match.
 *
 * @param kind how they behave
 * @param count how many of them, 1 to 1,000
 * @param operation only writes that do this, or null for all
 * @param key only writes to this key, or null for all; a batch has many, and matches no key
 * @param prefix only writes to keys that start so, or null for all
 * @param reason with {@link FaultKind#REJECT}, why they are refused
 * @param delay with {@link FaultKind#DELAY}, how long they wait
 */
public record Fault(
        FaultKind kind,
        int count,
        @Nullable Operation operation,
        @Nullable String key,
        @Nullable String prefix,
        Reason reason,
        Duration delay) {

    boolean matches(Operation asked, @Nullable String askedKey) {
        return (operation == null || operation == asked)
                && (key == null || key.equals(askedKey))
                && (prefix == null || (askedKey != null && askedKey.startsWith(prefix)));
    }
}
