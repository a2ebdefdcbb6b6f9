package io.durablestate.log;

/** A record of the topic is not one of the state log; the message says why, as the rest of a sentence. */
final class NotUnderstoodException extends Exception {

    private final String reason;

    NotUnderstoodException(String reason) {
        super(reason);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
