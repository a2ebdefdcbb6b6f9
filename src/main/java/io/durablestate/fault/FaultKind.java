package io.durablestate.fault;

import java.util.Locale;

/** How a write is to behave. */
public enum FaultKind {
    /** It is done, and its connection is closed without an answer. */
    LOSE_ANSWER,
    /** It is done, and answered as if nobody knew. */
    UNKNOWN_WRITTEN,
    /** It is not done, and answered as if nobody knew. */
    UNKNOWN_NOT_WRITTEN,
    /** It is refused, and nothing is written. */
    REJECT,
    /** It is done after a while. */
    DELAY;

    /** The word in requests and answers: lower case, with hyphens. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
