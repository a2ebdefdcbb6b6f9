package io.durablestate.state;

/** What the log says of one state: present in some version, or deleted. */
public sealed interface FoldedState permits StateVersion, Deletion {

    /** Offset of the record that says so; a restore lies later than the revision it restores. */
    long offset();

    /** When what it says was written, in milliseconds since the epoch; a restore says what was written before it. */
    long timestamp();
}
