package io.durablestate.state;

/** A write was not acknowledged by Kafka; the cause is Kafka's own failure. The state is not added. */
public final class StateWriteException extends RuntimeException {

    private final transient FailedWrite failedWrite;

    StateWriteException(FailedWrite failedWrite) {
        super("Failed to send action state to Kafka", failedWrite.cause());
        this.failedWrite = failedWrite;
    }

    public FailedWrite failedWrite() {
        return failedWrite;
    }
}
