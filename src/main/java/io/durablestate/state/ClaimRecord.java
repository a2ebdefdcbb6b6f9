package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/**
 * A record that claims a key for an attempt, closes the attempt, or forgets it.
 *
 * @param key the business key
 * @param offset where it lies, which is also the number of the attempt it starts
 * @param claim what was claimed, or null when the key's attempt is forgotten
 */
public record ClaimRecord(String key, long offset, @Nullable Claim claim) implements LogRecord {

    @Override
    public String businessKey() {
        return key;
    }

    /**
     * What a claim says.
     *
     * @param worker name of the worker, or null when it gave none
     * @param closed whether it closes the attempts before it instead of starting one
     */
    public record Claim(@Nullable String worker, boolean closed) {}
}
