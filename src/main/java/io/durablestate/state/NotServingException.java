package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/** The service does not take the request now; nothing was sent to Kafka on its behalf. */
public final class NotServingException extends RuntimeException {

    /** Why not. */
    public enum Reason {
        /** The state log has not been replayed yet. */
        RECOVERING,
        /** As much is under way as the limits allow. */
        OVERLOADED,
        /** The service is being stopped. */
        STOPPING,
        /** Kafka does not answer. */
        KAFKA_UNAVAILABLE,
        /** Too few replicas of the partition are in sync for an acknowledgement. */
        NOT_ENOUGH_REPLICAS,
        /** Kafka, or the topic as it is set up, does not let the service work. */
        KAFKA_REFUSED;

        /** Whether something is wrong with Kafka, as against a passing condition of this instance. */
        public boolean isKafkasFault() {
            return this == KAFKA_UNAVAILABLE || this == NOT_ENOUGH_REPLICAS || this == KAFKA_REFUSED;
        }
    }

    private final Reason reason;

    public NotServingException(Reason reason, String message) {
        this(reason, message, null);
    }

    public NotServingException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
