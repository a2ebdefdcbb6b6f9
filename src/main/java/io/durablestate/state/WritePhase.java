package io.durablestate.state;

import java.util.Locale;

/** The steps of a write, in their order. */
public enum WritePhase {
    /** Handing the record to the producer: metadata, buffer, size. */
    SEND,
    /** Pushing it out to the broker. */
    FLUSH,
    /** Waiting for the broker's word on this very record. */
    ACKNOWLEDGEMENT,
    /** Waiting for the fold's verdict on a condition. */
    VERDICT;

    /** The word in answers and tags: lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
