package io.durablestate.testcluster;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import io.durablestate.DurableStateApplication;
import io.durablestate.state.MutantConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.springframework.util.FileSystemUtils;

/**
 * The service as a process of its own, in a working directory of its own. It runs from the jar that the system property
 * {@code durable-state.jar} names, or from the class path of the tests when there is no such jar.
 */
public final class ServiceProcess implements AutoCloseable {

    private final Path directory;
    private final boolean directoryIsOurs;
    private final int port;
    private final List<String> arguments;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private ChildProcess process;

    private ServiceProcess(Builder builder) {
        this.directoryIsOurs = builder.directory == null;
        this.directory = directoryIsOurs ? createDirectory() : builder.directory;
        this.port = FreePorts.next();
        this.arguments = builder.arguments(port, directory);
        launch();
    }

    /** Starts the service with these properties; does not wait until it answers. */
    public static ServiceProcess start(Map<String, String> properties) {
        return builder().properties(properties).start();
    }

    /** For heap size, working directory and the like. */
    public static Builder builder() {
        return new Builder();
    }

    /** Where it answers, without a slash at the end. */
    public URI baseUri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Its working directory, which holds the data of an embedded broker in {@code data}. */
    public Path directory() {
        return directory;
    }

    /** Waits until it takes requests; fails with the end of its log if it ends or takes longer. */
    public void awaitReady(Duration patience) {
        awaitHealth("readiness", patience);
    }

    /** Waits until its HTTP side is up, ready or not; fails with the end of its log if it ends or takes longer. */
    public void awaitStarted(Duration patience) {
        awaitHealth("liveness", patience);
    }

    /** Waits until it has ended by itself, and returns its exit code. */
    public int awaitEnd(Duration patience) {
        return process.awaitExit(patience);
    }

    /** Ends it at once (SIGKILL). */
    public void kill() {
        process.kill();
    }

    /** Asks it to end (SIGTERM) and waits; returns the exit code, 143 when it ended in order. */
    public int terminate() {
        return process.terminate();
    }

    /** Stops its clock (SIGSTOP). */
    public void freeze() {
        process.freeze();
    }

    /** Lets it go on after {@link #freeze()}. */
    public void thaw() {
        process.thaw();
    }

    /** Starts it again with the same settings, port and directory, after killing it if it still runs. */
    public void restart() {
        process.kill();
        launch();
    }

    /** The id of its process. */
    public long pid() {
        return process.pid();
    }

    /** Whether its process is there, frozen or not. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Memory that it has in RAM. */
    public long residentMemoryBytes() {
        return process.residentMemoryBytes();
    }

    /** All that it has written so far, from every start. */
    public String log() {
        return process.log();
    }

    /** Kills it and deletes its working directory unless that was given. */
    @Override
    public void close() {
        process.close();
        if (directoryIsOurs) {
            delete(directory);
        }
    }

    private void launch() {
        process = ChildProcess.start("service on port " + port, directory, directory.resolve("service.log"), arguments);
    }

    private void awaitHealth(String group, Duration patience) {
        URI uri = baseUri().resolve("/actuator/health/" + group);
        try {
            Awaitility.await(group)
                    .atMost(patience)
                    .pollInterval(Duration.ofMillis(100))
                    .failFast(process::requireAlive)
                    .until(() -> statusOf(uri) == 200);
        } catch (ConditionTimeoutException e) {
            throw process.failure("has no " + group + " after " + patience);
        }
    }

    private int statusOf(URI uri) throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(2)).build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return -1;
        }
    }

    private static Path createDirectory() {
        try {
            return Files.createTempDirectory("durable-state-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says what the process is like before it is started. */
    public static final class Builder {

        private final Map<String, String> properties = new LinkedHashMap<>();
        private final List<String> jvmArguments = new ArrayList<>(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"));
        private Path directory;
        private String mutation;

        private Builder() {}

        /** A property of the service. */
        public Builder property(String name, String value) {
            properties.put(name, value);
            return this;
        }

        /** Properties of the service. */
        public Builder properties(Map<String, String> more) {
            properties.putAll(more);
            return this;
        }

        /** An argument for {@code java}; otherwise the heap has 512 MB and code is compiled for a quick start. */
        public Builder jvmArgument(String argument) {
            jvmArguments.add(argument);
            return this;
        }

        /** A working directory that is kept when the process is closed. */
        public Builder directory(Path existing) {
            this.directory = existing;
            return this;
        }

        /** Has it break one of its rules: a name that {@link MutantConfiguration} knows. */
        public Builder mutation(String rule) {
            mutation = rule;
            return property(MutantConfiguration.PROPERTY, rule);
        }

        /** Starts the service; does not wait until it answers. */
        public ServiceProcess start() {
            return new ServiceProcess(this);
        }

        private List<String> arguments(int port, Path workingDirectory) {
            List<String> arguments = new ArrayList<>(jvmArguments);
            arguments.addAll(mutation == null ? program() : mutant(copyMutants(workingDirectory)));
            arguments.add("--server.port=" + port);
            properties.forEach((name, value) -> arguments.add("--" + name + "=" + value));
            return arguments;
        }

        private static List<String> program() {
            String jar = System.getProperty("durable-state.jar", "");
            return Files.isRegularFile(Path.of(jar))
                    ? List.of("-jar", Path.of(jar).toAbsolutePath().toString())
                    : List.of("io.durablestate.DurableStateApplication");
        }

        /** The jar, with classes of the tests in front of its own. */
        private static List<String> mutant(Path classes) {
            Path jar = Path.of(System.getProperty("durable-state.jar", ""));
            if (!Files.isRegularFile(jar)) {
                throw new IllegalStateException("A mutant needs the packaged service in durable-state.jar");
            }
            return List.of(
                    "-cp",
                    jar.toAbsolutePath().toString(),
                    "-Dloader.path=" + classes,
                    "-Dloader.main=" + DurableStateApplication.class.getName(),
                    "org.springframework.boot.loader.launch.PropertiesLauncher");
        }

        /** Without the other classes of the tests, which the service would take for its own. */
        private static Path copyMutants(Path directory) {
            Path compiled = Path.of(MutantConfiguration.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .getPath());
            Path found = Path.of(MutantConfiguration.class.getPackageName().replace('.', '/'));
            Path copies = directory.resolve("mutant");
            try (DirectoryStream<Path> classes = Files.newDirectoryStream(compiled.resolve(found), "Mutant*.class")) {
                Files.createDirectories(copies.resolve(found));
                for (Path file : classes) {
                    Files.copy(file, copies.resolve(found).resolve(file.getFileName()), REPLACE_EXISTING);
                }
                return copies;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
