package io.durablestate.broker;

import io.durablestate.DataLocation;
import io.durablestate.DurableStateProperties.Embedded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.unit.DataSize;

/**
 * A real Kafka broker inside this process, on loopback only. Its port is taken when it is created, so that Spring's
 * clients, which learn the address from here, can be built before it runs; it starts before everything else that has a
 * life cycle and stops after it.
 *
 * <p>Its data survives restarts and a process that is killed. A failure to start is an exception; a fatal fault later,
 * such as a failing disk, ends the process at once (exit code 1), since a broker without its disk must not acknowledge
 * anything.
 */
final class EmbeddedBroker implements SmartLifecycle, KafkaConnectionDetails, DataLocation, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedBroker.class);

    private final Embedded settings;
    private final DataSize maxStateSize;
    private final LoopbackPort client;
    private volatile @Nullable Running running;

    /**
     * Takes the port.
     *
     * @throws EmbeddedBrokerException if the configured port is taken
     */
    EmbeddedBroker(Embedded settings, DataSize maxStateSize) {
        this.settings = settings;
        this.maxStateSize = maxStateSize;
        try {
            this.client = LoopbackPort.take(settings.port());
        } catch (IOException e) {
            throw EmbeddedBrokerException.portTaken(settings.port(), e);
        }
    }

    @Override
    public List<String> getBootstrapServers() {
        return List.of(client.address());
    }

    @Override
    public String line() {
        return "broker in this process at " + client.address() + ", data in "
                + DataDirectory.absolute(settings.directory());
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    /** Returns when clients are served: after some seconds, longer if a large log has to be checked after a crash. */
    @Override
    public void start() {
        DataDirectory directory = DataDirectory.open(settings.directory());
        try {
            running = new Running(startServer(directory), directory);
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw EmbeddedBrokerException.startFailed(directory.path(), e);
        }
        logFacts(directory.path());
    }

    /** Returns when everything is on disk and closed: after a few seconds at most. */
    @Override
    public void stop() {
        Running stopping = running;
        running = null;
        if (stopping != null) {
            stopping.stop();
        }
    }

    /** Stops and gives the port back. */
    @Override
    public void close() {
        stop();
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private KraftServer startServer(DataDirectory directory) throws IOException {
        try (LoopbackPort controller = LoopbackPort.take(0)) {
            var broker = new BrokerSettings(directory, client, controller, maxStateSize, settings.fsync());
            var server = new KraftServer(broker.asProperties(), LoopbackPort.socketsOf(client, controller));
            server.start();
            return server;
        }
    }

    private void logFacts(Path directory) {
        log.info(
                "Embedded broker: {}, data in {}, {}",
                client.address(),
                directory,
                settings.fsync()
                        ? "every record forced to disk before it is acknowledged"
                        : "records not forced to disk (durable-state.embedded.fsync=false)");
    }

    private record Running(KraftServer server, DataDirectory directory) {

        void stop() {
            try (directory) {
                server.stop();
            }
        }
    }
}
