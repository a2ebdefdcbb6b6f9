package io.durablestate.state;

/**
 * How far a key got.
 *
 * @param total states of the key
 * @param completed those whose action is done
 * @param ofAttempt those that were written by the attempt asked for
 */
public record StateCounts(int total, int completed, int ofAttempt) {}
