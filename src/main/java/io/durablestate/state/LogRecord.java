package io.durablestate.state;

/** A record of the state log that was understood. */
public sealed interface LogRecord permits StateRecord, ClaimRecord {

    /** Where it lies in its partition. */
    long offset();

    /** The business key that it is about, which decides its partition. */
    String businessKey();
}
