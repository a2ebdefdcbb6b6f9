package io.durablestate.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble.VerificationFlag;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.EligibleLeaderReplicasVersion;
import org.springframework.util.FileSystemUtils;

/**
 * The directory where the embedded broker keeps its data, held by one process at a time. Kafka's own files are in
 * {@code kafka} beneath it, so that it may be the root of a volume. They are prepared aside and moved into place whole:
 * a process that dies meanwhile leaves nothing half done.
 */
final class DataDirectory implements AutoCloseable {

    private static final String META_PROPERTIES = MetaPropertiesEnsemble.META_PROPERTIES_NAME;

    private static final String KAFKA = "kafka";
    private static final String FRESH = "kafka.new";
    private static final String LOCK = "durable-state.lock";

    /** What a directory without data may hold: what a start that was cut short leaves, and the root of a new volume. */
    private static final Set<String> MAY_BE_FOUND = Set.of(KAFKA, FRESH, LOCK, "lost+found");

    private final Path path;
    private final FileChannel lock;

    private DataDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Takes hold of a directory; creates and prepares it when that was not done before.
     *
     * @throws EmbeddedBrokerException if another process has it, it cannot be used, or it holds what is not ours
     */
    static DataDirectory open(Path path) {
        Path directory = absolute(path);
        try {
            if (!Files.exists(directory)) {
                Files.createDirectories(directory);
            }
            if (!Files.isDirectory(directory)) {
                throw EmbeddedBrokerException.notADirectory(directory);
            }
            refuseForeign(directory);
            DataDirectory data = new DataDirectory(directory, lock(directory, LOCK));
            data.prepare();
            return data;
        } catch (IOException e) {
            throw EmbeddedBrokerException.directoryUnusable(directory, e);
        }
    }

    /** A directory as it is shown to people. */
    static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    /** The absolute path. */
    Path path() {
        return path;
    }

    /** Where Kafka's own files are. */
    Path kafka() {
        return path.resolve(KAFKA);
    }

    /** Lets go of the directory. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void refuseForeign(Path directory) throws IOException {
        if (Files.exists(directory.resolve(META_PROPERTIES))) {
            throw EmbeddedBrokerException.directoryNotOurs(
                    directory, "it is the log directory of another Kafka broker", null);
        }
        if (!isMissingOrEmpty(directory.resolve(KAFKA))) {
            verify(directory);
            return;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            Optional<String> foreign = entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.startsWith(".") && !MAY_BE_FOUND.contains(name))
                    .min(Comparator.naturalOrder());
            if (foreign.isPresent()) {
                throw EmbeddedBrokerException.directoryNotOurs(
                        directory, "it holds " + foreign.get() + ", and no data of the service", null);
            }
        }
    }

    private void prepare() throws IOException {
        boolean prepared = false;
        try {
            if (isMissingOrEmpty(kafka())) {
                format();
            }
            verify(path);
            lock(kafka(), ".lock").close();
            prepared = true;
        } finally {
            if (!prepared) {
                close();
            }
        }
    }

    private void format() throws IOException {
        Path fresh = path.resolve(FRESH);
        FileSystemUtils.deleteRecursively(fresh);
        Formatter formatter = new Formatter()
                .setNodeId(KraftServer.NODE_ID)
                .setClusterId(Uuid.randomUuid().toString())
                .setControllerListenerName(BrokerSettings.CONTROLLER)
                .addDirectory(fresh.toString())
                .setMetadataLogDirectory(fresh.toString())
                .setFeatureLevel(EligibleLeaderReplicasVersion.FEATURE_NAME, (short) 0)
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream()));
        run(formatter);
        Files.move(fresh, kafka(), StandardCopyOption.ATOMIC_MOVE);
        Utils.flushDir(path);
    }

    private static void run(Formatter formatter) throws IOException {
        try {
            formatter.run();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("cannot format: " + e.getMessage(), e);
        }
    }

    private static void verify(Path directory) {
        Path kafka = directory.resolve(KAFKA);
        if (!Files.exists(kafka.resolve(META_PROPERTIES))) {
            throw EmbeddedBrokerException.directoryNotOurs(directory, kafka + " has no " + META_PROPERTIES, null);
        }
        try {
            new MetaPropertiesEnsemble.Loader()
                    .addMetadataLogDir(kafka.toString())
                    .addLogDirs(List.of(kafka.toString()))
                    .load()
                    .verify(
                            Optional.empty(),
                            OptionalInt.of(KraftServer.NODE_ID),
                            EnumSet.of(VerificationFlag.REQUIRE_AT_LEAST_ONE_VALID));
        } catch (IOException | RuntimeException e) {
            throw EmbeddedBrokerException.directoryNotOurs(directory, String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isMissingOrEmpty(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return true;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private static FileChannel lock(Path directory, String name) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!tryLock(channel)) {
            channel.close();
            throw EmbeddedBrokerException.directoryInUse(directory);
        }
        return channel;
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }
}
