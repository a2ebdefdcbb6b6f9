package io.durablestate.testcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    @Test
    void endsWithItsParentEvenWhenFrozen() {
        try (ChildProcess parent = start(Parent.class)) {
            long child = pidIn(parent);
            assertThat(ProcessHandle.of(child)).isPresent();
            parent.kill();
            await().atMost(PATIENCE).until(() -> ProcessHandle.of(child).isEmpty());
        }
    }

    @Test
    void endsInOrderWhenAskedTo() {
        try (ChildProcess process = start(Sleeper.class)) {
            pidIn(process);
            assertThat(process.residentMemoryBytes()).isGreaterThan(10_000_000);
            assertThat(process.terminate()).isEqualTo(143);
            assertThat(process.isAlive()).isFalse();
        }
    }

    @Test
    void showsItsLogWhenItHasEndedUnasked() {
        try (ChildProcess process = start(Crasher.class)) {
            assertThat(process.awaitExit(PATIENCE)).isEqualTo(1);
            assertThatIllegalStateException()
                    .isThrownBy(process::requireAlive)
                    .withMessageContainingAll("Crasher", "exit code 1", "on purpose");
        }
    }

    private ChildProcess start(Class<?> program) {
        return start(program, directory);
    }

    private static ChildProcess start(Class<?> program, Path directory) {
        String name = program.getSimpleName();
        return ChildProcess.start(
                name, directory, directory.resolve(name + ".log"), List.of(program.getName(), directory.toString()));
    }

    private static long pidIn(ChildProcess process) {
        await().atMost(PATIENCE)
                .failFast(process::requireAlive)
                .until(() -> process.log().endsWith("\n"));
        return Long.parseLong(process.log().strip());
    }

    /** Freezes a child of its own and says its pid. */
    static final class Parent {

        public static void main(String[] args) throws Exception {
            ChildProcess child = start(Sleeper.class, Path.of(args[0]));
            child.freeze();
            System.out.println(child.pid());
            new CountDownLatch(1).await();
        }
    }

    /** Says its own pid and stays. */
    static final class Sleeper {

        public static void main(String[] args) throws Exception {
            System.out.println(ProcessHandle.current().pid());
            new CountDownLatch(1).await();
        }
    }

    /** Complains and ends. */
    static final class Crasher {

        public static void main(String[] args) {
            System.err.println("on purpose");
            System.exit(1);
        }
    }
}
