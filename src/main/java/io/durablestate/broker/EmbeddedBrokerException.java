package io.durablestate.broker;

import io.durablestate.StartRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The embedded broker cannot be started; says why and what to change. */
final class EmbeddedBrokerException extends StartRefusedException {

    private static final String OTHER_DIRECTORY = "set durable-state.embedded.directory to another directory";

    private EmbeddedBrokerException(String message, String action, @Nullable Throwable cause) {
        super(message, action, cause);
    }

    static EmbeddedBrokerException emptyBootstrapServers() {
        return new EmbeddedBrokerException(
                "spring.kafka.bootstrap-servers is set, but names no broker.",
                "Name the brokers of the cluster (host:port, separated by commas), or remove the setting to keep one"
                        + " copy in a broker inside this process.",
                null);
    }

    static EmbeddedBrokerException clusterMeant(String setting) {
        return new EmbeddedBrokerException(
                setting + " is set, but spring.kafka.bootstrap-servers is not.",
                "Set spring.kafka.bootstrap-servers, which counts for all clients of the cluster, or remove " + setting
                        + " to keep one copy in a broker inside this process.",
                null);
    }

    static EmbeddedBrokerException portTaken(int port, IOException cause) {
        return new EmbeddedBrokerException(
                "The embedded broker cannot listen on 127.0.0.1:" + port + ": " + cause.getMessage() + ".",
                "Stop what uses the port, or set durable-state.embedded.port to another one (0 for a free one).",
                cause);
    }

    static EmbeddedBrokerException directoryInUse(Path directory) {
        return new EmbeddedBrokerException(
                "The data directory " + directory + " is in use by another broker.",
                "Stop the other process, or " + OTHER_DIRECTORY + ".",
                null);
    }

    static EmbeddedBrokerException notADirectory(Path file) {
        return new EmbeddedBrokerException(
                "The data directory " + file + " is a file.", "Remove it, or " + OTHER_DIRECTORY + ".", null);
    }

    static EmbeddedBrokerException directoryUnusable(Path directory, IOException cause) {
        return new EmbeddedBrokerException(
                "The data directory " + directory + " cannot be used: "
                        + cause.getClass().getSimpleName() + ": " + cause.getMessage() + ".",
                "Let the user of this process read and write the directory, or " + OTHER_DIRECTORY + ".",
                cause);
    }

    static EmbeddedBrokerException directoryNotOurs(Path directory, String found, @Nullable Throwable cause) {
        return new EmbeddedBrokerException(
                "The data directory " + directory + " was not made by this service: " + found + ".",
                "Nothing in it was changed; " + OTHER_DIRECTORY + ".",
                cause);
    }

    static EmbeddedBrokerException startFailed(Path directory, Throwable cause) {
        return new EmbeddedBrokerException(
                "The embedded broker did not start on " + directory + ": " + rootOf(cause) + ".",
                "The data is left as it is; the errors that the broker logged before this say more.",
                cause);
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        return root;
    }
}
