package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/**
 * How new a read must be.
 *
 * @param strong whether it must see every write that any instance had acknowledged before it began
 * @param atLeast a revision that it must have come to, or null
 */
public record Consistency(boolean strong, @Nullable Revision atLeast) {}
