package io.durablestate.state;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a write took, step by step; a step that was not begun is absent.
 *
 * @param total from the first step to the end of the last one that was begun
 */
public record WriteTimings(
        @Nullable Duration send,
        @Nullable Duration flush,
        @Nullable Duration acknowledgement,
        Duration total) {}
