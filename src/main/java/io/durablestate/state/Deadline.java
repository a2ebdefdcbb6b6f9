package io.durablestate.state;

import java.time.Instant;

/**
 * By when the next write of a key is expected.
 *
 * @param due from then on the key is overdue, until somebody writes
 */
public record Deadline(String key, Instant due) {}
