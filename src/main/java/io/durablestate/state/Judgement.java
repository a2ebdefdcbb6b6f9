package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/**
 * What the fold makes of a state record.
 *
 * @param tookEffect false for a void record
 * @param state what is in effect afterwards, null while unknown
 */
public record Judgement(boolean tookEffect, @Nullable FoldedState state) {}
