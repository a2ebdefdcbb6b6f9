package io.durablestate.log;

/** The log is not the one that was replayed any more, or was lost sight of for too long: it must be replayed. */
final class LogShiftedException extends RuntimeException {

    private final String reason;

    LogShiftedException(String reason) {
        super(reason);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
