package io.durablestate.testcluster;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** One broker of a {@link KafkaCluster}. Its ports and its data stay the same when it is started again. */
public final class Broker {

    private final BrokerPorts ports;
    private final Path directory;
    private final List<String> arguments = new ArrayList<>();
    private ChildProcess process;
    private boolean frozen;

    Broker(BrokerPorts ports, Path parent, String clusterId, List<String> users, Map<String, String> settings) {
        this.ports = ports;
        this.directory = parent.resolve("broker-" + ports.id());
        Path file = writeSettings(directory, settings);
        arguments.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        arguments.addAll(List.of(BrokerProcess.class.getName(), file.toString(), clusterId));
        arguments.addAll(users);
    }

    /** Its number, from 1. */
    public int id() {
        return ports.id();
    }

    /** Where clients reach it, as {@code host:port}. */
    public String address() {
        return "127.0.0.1:" + ports.client();
    }

    /** The id of its process. */
    public long pid() {
        return process.pid();
    }

    /** Whether its process is there, frozen or not. */
    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Ends it at once (SIGKILL). */
    public void kill() {
        process.kill();
        process = null;
    }

    /** Lets it hand over its partitions and end (SIGTERM); waits for that. */
    public void stop() {
        process.terminate();
        process = null;
    }

    /** Stops its clock (SIGSTOP): connections stay open and nothing is answered. */
    public void freeze() {
        process.freeze();
        frozen = true;
    }

    /** Lets it go on after {@link #freeze()}. */
    public void thaw() {
        process.thaw();
        frozen = false;
    }

    /**
     * Starts it again, after killing it if it still runs. {@link KafkaCluster#awaitReady()} waits until it is back; the
     * cluster takes a killed broker in again only when its old session has expired, after 9 s.
     */
    public void restart() {
        close();
        start();
    }

    /** Where it logs. */
    public Path logFile() {
        return directory.resolve("broker.log");
    }

    void start() {
        process = ChildProcess.start("broker " + id(), directory, logFile(), arguments);
    }

    /** Whether it is meant to run and not frozen. */
    boolean isServing() {
        return process != null && !frozen;
    }

    void requireAlive() {
        process.requireAlive();
    }

    IllegalStateException failure(String what) {
        return process.failure(what);
    }

    void close() {
        if (process != null) {
            process.kill();
            process = null;
        }
        frozen = false;
    }

    private static Path writeSettings(Path directory, Map<String, String> settings) {
        Properties properties = new Properties();
        properties.put("log.dirs", directory.resolve("data").toString());
        properties.putAll(settings);
        Path file = directory.resolve("server.properties");
        try {
            Files.createDirectories(directory);
            try (OutputStream out = Files.newOutputStream(file)) {
                properties.store(out, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }
}
