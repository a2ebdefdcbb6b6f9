package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.KafkaCluster;
import io.durablestate.testcluster.ServiceProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Topics that others have made, changed, or written to. Each test has a topic of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogOfOthersIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private KafkaCluster cluster;
    private ServiceProcess service;
    private Api api;
    private String topic;

    @BeforeAll
    void startCluster() {
        cluster = KafkaCluster.start(1);
    }

    @AfterAll
    void stopCluster() {
        cluster.close();
    }

    @BeforeEach
    void nameTopic(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void stopService() {
        service.close();
    }

    private void startService() {
        service = ServiceProcess.start(
                Map.of("spring.kafka.bootstrap-servers", cluster.bootstrapServers(), "durable-state.topic", topic));
        api = new Api(service::baseUri);
    }

    @Test
    void garbageAndMarkersAreSkippedCountedAndShownAndEverythingElseIsThere() throws Exception {
        startService();
        service.awaitReady(PATIENCE);
        Answer before = api.put("order-1/1/a", "\"before\"");
        int partition =
                Integer.parseInt(before.json().path("revision").stringValue().split("-", -1)[0]);
        writeInTransaction(List.of(
                new ProducerRecord<>(topic, partition, bytes("garbage"), bytes("garbage")),
                new ProducerRecord<>(topic, partition, bytes(""), bytes("empty key")),
                new ProducerRecord<>(topic, partition, bytes("[\"s\",\"nobody\",1,\"a\"]"), null)));
        ProducerRecord<byte[], byte[]> misplaced =
                new ProducerRecord<>(topic, (partition + 1) % 4, bytes("[\"s\",\"order-1\",1,\"a\"]"), null);
        misplaced.headers().add("ds.v", bytes("1"));
        writeInTransaction(List.of(misplaced));
        Answer after = api.put("order-1/2/a", "\"after\"");
        writeInTransaction(List.of(new ProducerRecord<>(topic, partition, bytes("[\"s\",\"nobody\",2,\"a\"]"), null)));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(status().path("skippedRecords").longValue()).isEqualTo(5));

        service.kill();
        service.restart();
        service.awaitReady(PATIENCE);

        assertThat(api.get("order-1/1/a").header("ETag")).isEqualTo(before.header("ETag"));
        assertThat(api.get("order-1/2/a").header("ETag")).isEqualTo(after.header("ETag"));
        assertThat(status().path("states").longValue()).isEqualTo(2);
        assertThat(status().path("skippedRecords").longValue()).isEqualTo(5);
        assertThat(status().path("lastSkipped").get(0).path("reason").stringValue())
                .isNotEmpty();
        assertThat(api.put("order-1/3/a", "1").status()).isEqualTo(201);
    }

    private JsonNode status() {
        return api.read("/api/v1/status").json();
    }

    private void writeInTransaction(List<ProducerRecord<byte[], byte[]>> records)
            throws InterruptedException, ExecutionException {
        Map<String, Object> settings = new HashMap<>(cluster.clientSettings());
        settings.put("transactional.id", "others");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (ProducerRecord<byte[], byte[]> written : records) {
                producer.send(written).get();
            }
            producer.commitTransaction();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aTopicThatDeletesByAgeIsRefusedByTheNameOfItsSettingUntilItIsMended() throws Exception {
        cluster.createTopic(topic, 4, 1, Map.of("cleanup.policy", "delete"));
        startService();
        service.awaitStarted(PATIENCE);

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(status().path("obstacle").stringValue()).contains("cleanup.policy=delete"));
        assertThat(service.log()).contains("cleanup.policy=delete");
        Answer put = api.put("order-1/1/a", "1");
        assertThat(put.status()).isEqualTo(503);
        assertThat(put.problem()).isEqualTo("kafka-refused");
        assertThat(put.outcome()).isEqualTo("not-persisted");
        assertThat(api.read("/actuator/health").json().path("status").stringValue())
                .isEqualTo("DOWN");

        cluster.admin()
                .incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(
                                new ConfigEntry("cleanup.policy", "compact"), AlterConfigOp.OpType.SET))))
                .all()
                .get();
        service.awaitReady(PATIENCE);
        assertThat(api.put("order-1/1/a", "1").status()).isEqualTo(201);
    }

    @Test
    void addedPartitionsAreRefusedWithAnExampleOfAMisplacedKey() throws Exception {
        startService();
        service.awaitReady(PATIENCE);
        for (int i = 0; i < 20; i++) {
            api.put("order-" + i + "/1/a", "1");
        }

        cluster.admin()
                .createPartitions(Map.of(topic, NewPartitions.increaseTo(7)))
                .all()
                .get();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(status().path("obstacle").stringValue())
                        .contains("7 partitions")
                        .contains("\"order-"));
        Answer put = api.put("order-1/2/a", "1");
        assertThat(put.status()).isEqualTo(503);
        assertThat(put.problem()).isEqualTo("kafka-refused");
        assertThat(api.get("order-1/1/a").status()).isEqualTo(503);
    }

    @Test
    void aDeletedTopicIsNotMadeAnewBehindTheOperatorsBack() throws Exception {
        startService();
        service.awaitReady(PATIENCE);
        api.put("order-1/1/a", "1");

        delete();

        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer put = api.put("order-1/2/a", "1");
            assertThat(put.status()).isEqualTo(503);
            assertThat(put.problem()).isEqualTo("kafka-refused");
            assertThat(put.outcome()).isEqualTo("not-persisted");
        });
        assertThat(status().path("obstacle").stringValue()).contains("deleted");
        assertThat(cluster.admin().listTopics().names().get()).doesNotContain(topic);

        cluster.createTopic(topic, 4, 1, Map.of("cleanup.policy", "compact"));
        service.awaitReady(PATIENCE);
        assertThat(api.get("order-1/1/a").status()).isEqualTo(404);
        Answer put = api.put("order-1/2/a", "1");
        assertThat(put.status()).isEqualTo(201);
        assertThat(put.json().path("revision").stringValue()).endsWith("-0");
        assertThat(api.get("order-1/2/a").status()).isEqualTo(200);
    }

    private void delete() throws InterruptedException, ExecutionException {
        cluster.admin().deleteTopics(List.of(topic)).all().get();
    }

    @Test
    void untilTheReplayHasEndedEverythingIsAnsweredWithRecovering() {
        startService();
        service.awaitReady(PATIENCE);
        for (int i = 0; i < 200; i++) {
            api.put("order-" + i + "/1/a", "{\"n\":" + i + "}");
        }
        service.kill();
        service.restart();
        service.awaitStarted(PATIENCE);

        await().pollInterval(Duration.ofMillis(5)).atMost(PATIENCE).until(() -> {
            Answer get = api.get("order-199/1/a");
            if (get.status() == 503) {
                assertThat(get.problem()).isIn("recovering", "kafka-unavailable");
                assertThat(get.header("Retry-After")).isNotEmpty();
                return false;
            }
            assertThat(get.text()).isEqualTo("{\"n\":199}");
            return true;
        });
        assertThat(status().path("states").longValue()).isEqualTo(200);
        assertThat(status().path("recovery").path("percent").intValue()).isEqualTo(100);
    }
}
