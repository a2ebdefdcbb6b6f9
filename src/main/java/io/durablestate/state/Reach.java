package io.durablestate.state;

/** How far a record that failed can have got. */
public enum Reach {
    /** It was given up before its first step: there is no record. */
    NOT_BEGUN,
    /** It never entered the producer's buffer: Kafka does not have it. */
    NEVER_BUFFERED,
    /** Its producer repeated no request since: the broker's word speaks of the only time it was asked. */
    ASKED_ONCE,
    /** The producer may have asked more than once, or got no word at all. */
    UNKNOWN
}
