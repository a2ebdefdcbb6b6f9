package io.durablestate.state;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One run of a worker over a key.
 *
 * @param number offset of its claim, so that later attempts have larger numbers
 * @param ordinal how many claims the key had with it, from 1; two that raced can have the same; 0 when the claim does not say
 * @param worker name of the worker, or null when it gave none
 * @param startedAt when it was claimed
 * @param closedAt when it was closed, or null
 */
public record Attempt(
        long number,
        int ordinal,
        @Nullable String worker,
        Instant startedAt,
        @Nullable Instant closedAt) {}
