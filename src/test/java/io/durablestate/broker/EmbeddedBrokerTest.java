package io.durablestate.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.durablestate.DurableStateProperties;
import io.durablestate.DurableStateProperties.Embedded;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.util.unit.DataSize;

class EmbeddedBrokerTest {

    private static final TopicPartition PARTITION = new TopicPartition("numbers", 0);

    @TempDir
    Path directory;

    @Test
    void keepsItsRecordsAcrossRestarts() throws Exception {
        try (EmbeddedBroker broker = broker(0, true)) {
            broker.start();
            createTopic(broker);
            assertThat(write(broker, new byte[] {1})).isZero();
        }
        try (EmbeddedBroker broker = broker(0, true)) {
            broker.start();
            assertThat(write(broker, new byte[] {2})).isEqualTo(1);
            broker.stop();
            broker.start();
            assertThat(read(broker)).containsExactly(new byte[] {1}, new byte[] {2});
        }
    }

    @Test
    void forcesEveryRecordToDisk() throws Exception {
        try (EmbeddedBroker broker = broker(0, true)) {
            broker.start();
            createTopic(broker);
            assertThat(topicConfig(broker, "flush.messages")).isEqualTo("1");
        }
    }

    @Test
    void leavesTheDiskToTheOperatingSystemWhenToldTo() throws Exception {
        try (EmbeddedBroker broker = broker(0, false)) {
            broker.start();
            createTopic(broker);
            assertThat(topicConfig(broker, "flush.messages")).isEqualTo(String.valueOf(Long.MAX_VALUE));
        }
    }

    @Test
    void takesAStateOfTheLargestSize() throws Exception {
        DataSize largest = DataSize.ofMegabytes(64);
        try (EmbeddedBroker broker = new EmbeddedBroker(new Embedded(directory, 0, false), largest)) {
            broker.start();
            createTopic(broker);
            assertThat(write(broker, new byte[(int) largest.toBytes()])).isZero();
        }
    }

    @Test
    void refusesAConfiguredPortThatIsTaken() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatExceptionOfType(EmbeddedBrokerException.class)
                    .isThrownBy(() -> broker(other.getLocalPort(), true))
                    .withMessageContaining("127.0.0.1:" + other.getLocalPort())
                    .satisfies(e -> assertThat(e.action()).contains("durable-state.embedded.port"));
        }
    }

    @Test
    void listensOnTheConfiguredPort() throws Exception {
        int port;
        try (LoopbackPort free = LoopbackPort.take(0)) {
            port = free.number();
        }
        try (EmbeddedBroker broker = broker(port, true)) {
            broker.start();
            assertThat(broker.getBootstrapServers()).containsExactly("127.0.0.1:" + port);
            createTopic(broker);
        }
    }

    @Test
    void refusesADirectoryThatAnotherBrokerHas() {
        try (EmbeddedBroker first = broker(0, true);
                EmbeddedBroker second = broker(0, true)) {
            first.start();
            assertThatExceptionOfType(EmbeddedBrokerException.class)
                    .isThrownBy(second::start)
                    .withMessageContaining(directory + " is in use");
            first.stop();
            second.start();
            assertThat(second.isRunning()).isTrue();
        }
    }

    @Test
    void failsToStartInsteadOfEndingTheProcess() throws Exception {
        try (EmbeddedBroker broker = broker(0, true)) {
            broker.start();
            broker.stop();
            Path foreign = Files.createDirectory(directory.resolve("kafka").resolve("foreign"));
            assertThatExceptionOfType(EmbeddedBrokerException.class)
                    .isThrownBy(broker::start)
                    .withMessageContaining("did not start on " + directory)
                    .withMessageContaining("foreign");
            assertThat(broker.isRunning()).isFalse();

            Files.delete(foreign);
            broker.start();
            createTopic(broker);
        }
    }

    @Test
    void tellsSpringsClientsItsAddress() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
                .withUserConfiguration(Service.class)
                .withPropertyValues("durable-state.embedded.directory=" + directory)
                .run(context -> {
                    assertThat(context).hasSingleBean(KafkaConnectionDetails.class);
                    assertThat(context.getBean(KafkaAdmin.class).clusterId()).isNotEmpty();
                });
    }

    private EmbeddedBroker broker(int port, boolean fsync) {
        return new EmbeddedBroker(new Embedded(directory, port, fsync), DataSize.ofMegabytes(1));
    }

    private static void createTopic(EmbeddedBroker broker) throws Exception {
        try (Admin admin = Admin.create(settings(broker))) {
            NewTopic topic = new NewTopic(PARTITION.topic(), 1, (short) 1);
            admin.createTopics(List.of(topic)).all().get(10, TimeUnit.SECONDS);
        }
    }

    private static String topicConfig(EmbeddedBroker broker, String name) throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, PARTITION.topic());
        try (Admin admin = Admin.create(settings(broker))) {
            var configs = admin.describeConfigs(List.of(topic)).all().get(10, TimeUnit.SECONDS);
            return configs.get(topic).get(name).value();
        }
    }

    private static long write(EmbeddedBroker broker, byte[] value) throws Exception {
        Map<String, Object> settings = settings(broker);
        settings.put("max.request.size", 128 << 20);
        settings.put("buffer.memory", 256L << 20);
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            var record = new ProducerRecord<byte[], byte[]>(PARTITION.topic(), PARTITION.partition(), null, value);
            return producer.send(record).get(10, TimeUnit.SECONDS).offset();
        }
    }

    private static List<byte[]> read(EmbeddedBroker broker) {
        try (var consumer =
                new KafkaConsumer<>(settings(broker), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            return consumer.poll(Duration.ofSeconds(10)).records(PARTITION).stream()
                    .map(r -> r.value())
                    .toList();
        }
    }

    private static Map<String, Object> settings(EmbeddedBroker broker) {
        return new HashMap<>(Map.of("bootstrap.servers", broker.getBootstrapServers()));
    }

    @EnableConfigurationProperties(DurableStateProperties.class)
    @Import(BrokerConfiguration.class)
    static class Service {}
}
