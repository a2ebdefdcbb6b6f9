package io.durablestate.log;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * An admin client that is made when it is first needed, and again when that failed: a cluster whose name cannot be resolved
 * yet must not keep the service from starting.
 */
final class LazyAdmin implements AutoCloseable {

    private final Supplier<Admin> factory;
    private @Nullable Admin admin;
    private boolean closed;

    LazyAdmin(Supplier<Admin> factory) {
        this.factory = factory;
    }

    /**
     * Makes it when there is none yet. Does not wait for Kafka.
     *
     * @throws KafkaException when it cannot be made now, or not any more
     */
    synchronized Admin get() {
        if (closed) {
            throw new KafkaException("The service is being stopped");
        }
        if (admin == null) {
            admin = factory.get();
        }
        return admin;
    }

    /** Does not wait for calls under way. */
    @Override
    public synchronized void close() {
        closed = true;
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
    }
}
