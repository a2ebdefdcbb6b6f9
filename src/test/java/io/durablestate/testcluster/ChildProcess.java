package io.durablestate.testcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A JVM of its own. It is killed when this one ends in whatever way, even while it is frozen: a shell beside it waits
 * for the end of its standard input, which this JVM holds open.
 */
public final class ChildProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String name;
    private final Path log;
    private final Process process;
    private final Process watchdog;

    private ChildProcess(String name, Path log, Process process, Process watchdog) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.watchdog = watchdog;
    }

    /**
     * Starts a JVM of the same version as this one, with the class path of the tests in {@code CLASSPATH}.
     *
     * @param name what it is called in messages
     * @param directory its working directory
     * @param log where its output is added
     * @param arguments what follows {@code java}
     */
    static ChildProcess start(String name, Path directory, Path log, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(Map.of("CLASSPATH", testClassPath()));
        try {
            Process process = builder.start();
            return new ChildProcess(name, log, process, watch(process.pid()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class path of the tests, also where the build hands it over in a jar that has only a manifest. */
    public static String testClassPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it runs or is frozen. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it at once (SIGKILL), as a crash does. */
    public void kill() {
        process.destroyForcibly();
        awaitExit(PATIENCE);
    }

    /** Asks it to end (SIGTERM) and waits for it; returns its exit code, 143 for a JVM that ended in order. */
    public int terminate() {
        process.destroy();
        return awaitExit(PATIENCE);
    }

    /** Stops its clock (SIGSTOP): its sockets stay open and nothing answers. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets it go on (SIGCONT). */
    public void thaw() {
        signal("CONT");
    }

    /** Memory that it has in RAM. */
    public long residentMemoryBytes() {
        try (Stream<String> status = Files.lines(Path.of("/proc", String.valueOf(pid()), "status"))) {
            return status.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(name + " does not run"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that it has written so far. */
    public String log() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A failure that says who it was and shows the end of the log. */
    IllegalStateException failure(String what) {
        List<String> lines = log().lines().toList();
        String tail = String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        return new IllegalStateException("%s (pid %d) %s; the end of its log:%n%s".formatted(name, pid(), what, tail));
    }

    /** Fails with the end of its log unless it is alive. */
    void requireAlive() {
        if (!isAlive()) {
            throw failure("has ended with exit code " + process.exitValue());
        }
    }

    /** Ends it at once if it still runs. */
    @Override
    public void close() {
        kill();
    }

    /** Waits until it has ended, and returns its exit code. */
    int awaitExit(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw failure("has not ended after " + patience);
            }
            watchdog.destroyForcibly();
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of " + name, e);
        }
    }

    private void signal(String signal) {
        requireAlive();
        try {
            int exit = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid()))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw failure("did not take SIG" + signal);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending SIG" + signal + " to " + name, e);
        }
    }

    private static Process watch(long pid) throws IOException {
        String script = "trap '' INT TERM HUP; while read -r _; do :; done; kill -KILL " + pid;
        return new ProcessBuilder("sh", "-c", script).start();
    }
}
