package io.durablestate.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.durablestate.testcluster.ChildProcess;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {

    @TempDir
    Path parent;

    @Test
    void isMadeOnceAndKeepsItsClusterId() throws Exception {
        Path directory = parent.resolve("a/b");
        byte[] first;
        try (DataDirectory data = DataDirectory.open(directory)) {
            assertThat(data.path()).isAbsolute().isEqualTo(directory.toAbsolutePath());
            first = Files.readAllBytes(data.kafka().resolve("meta.properties"));
        }
        try (DataDirectory data = DataDirectory.open(directory)) {
            assertThat(data.kafka().resolve("meta.properties")).hasBinaryContent(first);
        }
    }

    @Test
    void startsAfreshWhenTheFirstPreparationWasCutShort() throws Exception {
        Files.createDirectories(parent.resolve("kafka.new"));
        Files.writeString(parent.resolve("kafka.new/bootstrap.checkpoint"), "half");
        try (DataDirectory data = DataDirectory.open(parent)) {
            assertThat(data.kafka().resolve("meta.properties")).exists();
            assertThat(parent.resolve("kafka.new")).doesNotExist();
        }
    }

    @Test
    void mayBeTheRootOfAVolume() throws Exception {
        Files.createDirectory(parent.resolve("lost+found"));
        Files.createFile(parent.resolve(".keep"));
        try (DataDirectory data = DataDirectory.open(parent)) {
            assertThat(data.kafka()).isDirectory();
        }
    }

    @Test
    void refusesAnotherBrokersLogDirectory() throws Exception {
        Files.writeString(parent.resolve("meta.properties"), "version=1\nnode.id=7\ncluster.id=x\n");
        assertRefused(parent, "was not made by this service");
        try (Stream<Path> files = Files.list(parent)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void refusesADirectoryOfOthersAndLeavesItAsItWas() throws Exception {
        Files.writeString(parent.resolve("thesis.txt"), "mine");
        assertRefused(parent, "it holds thesis.txt, and no data of the service");
        assertThat(parent).isDirectoryNotContaining(file -> !file.endsWith("thesis.txt"));
    }

    @Test
    void refusesKafkaFilesThatAreNotOurs() throws Exception {
        Files.createDirectory(parent.resolve("kafka"));
        Files.writeString(parent.resolve("kafka/notes.txt"), "mine");
        assertRefused(parent, "has no meta.properties");

        Files.writeString(parent.resolve("kafka/meta.properties"), "version=1\nnode.id=7\ncluster.id=x\n");
        assertRefused(parent, "node id 7");

        Files.writeString(parent.resolve("kafka/meta.properties"), "version=9\n");
        assertRefused(parent, "was not made by this service");
        assertThat(parent).isDirectoryNotContaining(file -> !file.endsWith("kafka"));
    }

    @Test
    void refusesAFile() throws Exception {
        Path file = Files.createFile(parent.resolve("file"));
        assertRefused(file, "is a file");
        assertRefused(file.resolve("below"), "cannot be used");
    }

    @Test
    void isHeldByOneAtATime() {
        try (DataDirectory held = DataDirectory.open(parent)) {
            assertThat(held.path()).isEqualTo(parent);
            assertRefused(parent, "is in use");
        }
        DataDirectory.open(parent).close();
    }

    @Test
    void isHeldByOneProcessAtATime() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        ChildProcess.testClassPath(),
                        Holder.class.getName(),
                        parent.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream said = other.getInputStream()) {
            assertThat(said.read()).isEqualTo('!');
            assertRefused(parent, "is in use");
        } finally {
            other.destroyForcibly().waitFor();
        }
        DataDirectory.open(parent).close();
    }

    private static void assertRefused(Path directory, String because) {
        assertThatExceptionOfType(EmbeddedBrokerException.class)
                .isThrownBy(() -> DataDirectory.open(directory))
                .withMessageContaining(directory.toString())
                .withMessageContaining(because)
                .satisfies(e -> assertThat(e.action()).contains("durable-state.embedded.directory"));
    }

    /** Holds a directory, says so with one character, and ends with its standard input. */
    static final class Holder {

        public static void main(String[] args) throws Exception {
            try (DataDirectory held = DataDirectory.open(Path.of(args[0]))) {
                System.out.print(Files.isDirectory(held.kafka()) ? '!' : '?');
                System.out.flush();
                System.in.readAllBytes();
            }
        }
    }
}
