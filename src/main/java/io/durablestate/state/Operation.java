package io.durablestate.state;

import java.util.Locale;

/** What a write does. */
public enum Operation {
    PUT,
    DELETE,
    PRUNE,
    BATCH,
    CLAIM,
    RESTORE;

    /** The word in answers and tags: lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
