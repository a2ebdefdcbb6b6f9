package io.durablestate.state;

/** What a write does. */
public enum Operation {
    PUT,
    DELETE,
    PRUNE,
    BATCH,
    CLAIM,
    RESTORE
}
