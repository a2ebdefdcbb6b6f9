package io.durablestate.failure;

import java.util.Locale;

/** What is known about a write that failed. */
public enum Outcome {
    /** The log does not have it and will not get it. */
    NOT_PERSISTED,
    /** Nobody can tell yet; the log will. */
    UNKNOWN,
    /** It was unknown, and turned up in the log. */
    PERSISTED;

    /** The word in answers: lower case, with hyphens. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
