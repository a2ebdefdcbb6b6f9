package io.durablestate.broker;

import io.durablestate.DurableStateProperties.Embedded;
import java.nio.file.Path;
import org.springframework.util.unit.DataSize;

/**
 * The embedded broker without Spring, for tests that need Kafka but no second broker. Takes about two seconds to start;
 * does not force records to disk.
 */
public final class TestBroker implements AutoCloseable {

    private final EmbeddedBroker broker;

    private TestBroker(EmbeddedBroker broker) {
        this.broker = broker;
    }

    /** Starts a broker on a directory, which keeps its data after the broker is closed. */
    public static TestBroker start(Path directory) {
        EmbeddedBroker broker = new EmbeddedBroker(new Embedded(directory, 0, false), DataSize.ofMegabytes(1));
        broker.start();
        return new TestBroker(broker);
    }

    /** Where it listens. */
    public String bootstrapServers() {
        return String.join(",", broker.getBootstrapServers());
    }

    /** Stops it in order and starts it again on the same port and data. */
    public void restart() {
        broker.stop();
        broker.start();
    }

    @Override
    public void close() {
        broker.close();
    }
}
