package io.durablestate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.durablestate.StartRefusedException;
import io.durablestate.state.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.util.unit.DataSize;

class KafkaClientsTests {

    private static final KafkaConnectionDetails NOWHERE = () -> List.of("127.0.0.1:1");

    private static KafkaClients clients(KafkaProperties kafka, String... settings) {
        return new KafkaClients(Settings.with(settings), kafka, NOWHERE);
    }

    private static KafkaProperties producerProperty(String name, String value) {
        KafkaProperties kafka = new KafkaProperties();
        kafka.getProducer().getProperties().put(name, value);
        return kafka;
    }

    private static Map<String, Object> producerConfig(KafkaClients clients) {
        return clients.producerFactory("lane-0", 16_384).getConfigurationProperties();
    }

    /** Has Kafka check the settings, which it does when a producer is made. */
    private static void assertAccepted(KafkaClients clients) {
        DefaultKafkaProducerFactory<byte[], byte[]> factory =
                (DefaultKafkaProducerFactory<byte[], byte[]>) clients.producerFactory("lane-0", 16_384);
        try {
            assertThat(factory.createProducer().metrics()).isNotEmpty();
        } finally {
            factory.destroy();
        }
    }

    @Test
    void askEveryInSyncReplicaAndRepeatWithoutDoubling() {
        assertThat(producerConfig(clients(new KafkaProperties())))
                .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
                .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true)
                .containsEntry(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class)
                .containsEntry(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class)
                .containsEntry(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, List.of("127.0.0.1:1"))
                .containsEntry(ProducerConfig.CLIENT_ID_CONFIG, "test-1-lane-0");
        assertAccepted(clients(new KafkaProperties()));
    }

    @Test
    void boundAWriteByTenAndThirtySeconds() {
        KafkaClients clients = clients(new KafkaProperties());
        assertThat(producerConfig(clients))
                .containsEntry(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000)
                .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000)
                .containsEntry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        assertThat(clients.maxBlock()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void leaveOtherBoundsAsTheyAreSet() {
        KafkaProperties kafka = producerProperty(ProducerConfig.MAX_BLOCK_MS_CONFIG, "1500");
        kafka.getProducer().getProperties().put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "60000");
        kafka.getProperties().put(ProducerConfig.LINGER_MS_CONFIG, "7");
        KafkaClients clients = clients(kafka);
        assertThat(producerConfig(clients))
                .containsEntry(ProducerConfig.MAX_BLOCK_MS_CONFIG, "1500")
                .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "60000")
                .containsEntry(ProducerConfig.LINGER_MS_CONFIG, "7");
        assertThat(clients.maxBlock()).isEqualTo(Duration.ofMillis(1500));
        assertAccepted(clients);
    }

    @ParameterizedTest
    @ValueSource(strings = {"20", "2000", "9999", "29999", "60000"})
    void workWithADeliveryTimeoutShorterThanARequestUsuallyTakes(String deliveryTimeout) {
        assertAccepted(clients(producerProperty(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryTimeout)));
    }

    @ParameterizedTest
    @CsvSource({"acks, 1", "acks, 0", "enable.idempotence, false", "enable.idempotence, FALSE", "transactional.id, mine"
    })
    void refuseByNameASettingThatWouldBreakThePromise(String name, String value) {
        assertRefused(producerProperty(name, value), name + "=" + value);
    }

    private static void assertRefused(KafkaProperties kafka, String setting) {
        assertThatExceptionOfType(StartRefusedException.class)
                .isThrownBy(() -> clients(kafka))
                .withMessageContaining("spring.kafka")
                .withMessageContaining(setting)
                .satisfies(e -> assertThat(e.action()).startsWith("Remove it"));
    }

    @Test
    void refuseItHoweverItIsSet() {
        KafkaProperties named = new KafkaProperties();
        named.getProducer().setAcks("1");
        assertRefused(named, "acks=1");

        KafkaProperties common = new KafkaProperties();
        common.getProperties().put("enable.idempotence", "false");
        assertRefused(common, "enable.idempotence=false");
    }

    @ParameterizedTest
    @CsvSource({"acks, all", "acks, -1", "enable.idempotence, true"})
    void acceptASettingThatSaysWhatIsDoneAnyway(String name, String value) {
        KafkaClients clients = clients(producerProperty(name, value));
        assertThat(producerConfig(clients)).containsEntry("acks", "all").containsEntry("enable.idempotence", true);
        assertAccepted(clients);
    }

    @Test
    void refuseATimeoutThatIsNoNumberByName() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> clients(producerProperty(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "30s")))
                .withMessageContaining(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
    }

    @Test
    void sendRecordsAsLargeAsTheLargestState() {
        KafkaClients clients = clients(new KafkaProperties(), "max-state-size", "3MB");
        assertThat(clients.maxRecordBytes()).isGreaterThan(3 * 1024 * 1024);
        assertThat(producerConfig(clients))
                .containsEntry(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, clients.maxRecordBytes());
        assertThat(clients(new KafkaProperties(), "max-state-size", "64MB").maxRecordBytes())
                .isGreaterThan(64 * 1024 * 1024);
    }

    @Test
    void haveProducersMakeBatchesOfASizeThatIsGiven() {
        KafkaProperties kafka = new KafkaProperties();
        kafka.getProducer().setBatchSize(DataSize.ofKilobytes(64));
        assertThat(clients(kafka).batchSize()).isEqualTo(65_536);
        assertThat(clients(new KafkaProperties()).batchSize()).isEqualTo(16_384);
        assertThat(clients(kafka).producerFactory("lane-0", 10_000).getConfigurationProperties())
                .containsEntry(ProducerConfig.BATCH_SIZE_CONFIG, 10_000);
    }

    @Test
    void giveEachProducerAFactoryOfItsOwn() {
        KafkaClients clients = clients(new KafkaProperties());
        assertThat(clients.producerFactory("lane-0", 16_384)).isNotSameAs(clients.producerFactory("lane-0", 16_384));
        assertThat(clients.producerFactory("lane-1", 16_384).getConfigurationProperties())
                .containsEntry(ProducerConfig.CLIENT_ID_CONFIG, "test-1-lane-1");
    }

    @Test
    void readWithoutAGroupWhateverIsSet() {
        KafkaProperties kafka = new KafkaProperties();
        kafka.getConsumer().setGroupId("mine");
        kafka.getConsumer().setAutoOffsetReset("latest");
        kafka.getConsumer().setEnableAutoCommit(true);
        try (Consumer<byte[], byte[]> consumer = clients(kafka).consumer("reader", Map.of())) {
            assertThat(consumer.assignment()).isEmpty();
            assertThatExceptionOfType(InvalidGroupIdException.class).isThrownBy(consumer::groupMetadata);
        }
    }

    @Test
    void theLargestStateHasRoomInTheBuffer() {
        KafkaClients clients = new KafkaClients(
                Settings.with("max-state-size", "64MB"), new KafkaProperties(), () -> List.of("127.0.0.1:1"));
        assertThat(clients.producerFactory("lane", 16_384).getConfigurationProperties())
                .hasEntrySatisfying(
                        "buffer.memory", bytes -> assertThat((Long) bytes).isGreaterThan(clients.maxRecordBytes()));
    }

    @Test
    void aBufferThatHasNoRoomForTheLargestStateIsRefused() {
        KafkaProperties kafka = new KafkaProperties();
        kafka.getProducer().getProperties().put("buffer.memory", "1000000");
        assertThatThrownBy(() -> new KafkaClients(Settings.with(), kafka, () -> List.of("127.0.0.1:1")))
                .hasMessageContaining("buffer.memory");
    }
}
