package io.durablestate.log;

/** The topic is not fit to be a state log; the message says which setting or record says so, and what to do. */
final class TopicRefusedException extends RuntimeException {

    private final String reason;

    TopicRefusedException(String reason) {
        super(reason);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
