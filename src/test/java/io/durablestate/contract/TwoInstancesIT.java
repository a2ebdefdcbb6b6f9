package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.KafkaCluster;
import io.durablestate.testcluster.ServiceProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Two instances of the service on one cluster whose topic is compacted all the time. */
class TwoInstancesIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String TOPIC = "durable-state";

    private KafkaCluster cluster;
    private CompactedTopic topic;
    private ServiceProcess first;
    private ServiceProcess second;

    @BeforeEach
    void start() {
        cluster = KafkaCluster.builder()
                .brokers(3)
                .setting("log.cleaner.backoff.ms", "200")
                .start();
        topic = CompactedTopic.create(cluster, TOPIC, 3, Duration.ZERO);
        first = ServiceProcess.start(properties("first"));
        second = ServiceProcess.start(properties("second"));
        first.awaitReady(PATIENCE);
        second.awaitReady(PATIENCE);
    }

    private Map<String, String> properties(String instance) {
        Map<String, String> properties = new HashMap<>(cluster.springProperties());
        properties.put("durable-state.instance-id", instance);
        return properties;
    }

    @AfterEach
    void stop() {
        try (KafkaCluster ending = cluster) {
            first.close();
            second.close();
        }
    }

    private static Api api(ServiceProcess service) {
        return new Api(service::baseUri);
    }

    private static long claim(ServiceProcess service, String key, String worker) {
        Answer claim = api(service)
                .send(
                        "POST",
                        "/api/v1/attempts/" + key,
                        BodyPublishers.ofString("{\"worker\":\"%s\"}".formatted(worker)),
                        "Content-Type",
                        "application/json");
        assertThat(claim.status()).isEqualTo(201);
        return claim.json().path("attempt").longValue();
    }

    private static Answer put(ServiceProcess service, String state, String body, long attempt) {
        return api(service).put(state, body.getBytes(StandardCharsets.UTF_8), "Attempt", Long.toString(attempt));
    }

    @Test
    void aWorkerThatWasStoppedIsFencedAndStaysSoThroughCompactionAndRestarts() throws Exception {
        String state = "order-42/7/charge-card";
        long old = claim(first, "order-42", "pod-1");
        assertThat(put(first, state, "\"mine\"", old).status()).isEqualTo(201);
        Process worker = stoppedBeforeItsPut(state, old);
        try {
            long newer = claim(second, "order-42", "pod-2");
            Answer newState = put(second, state, "\"theirs\"", newer);
            assertThat(newState.status()).isEqualTo(200);

            signal("CONT", worker);
            String answer = new String(worker.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(answer)
                    .endsWith("409")
                    .contains("attempt-fenced", "\"currentAttempt\":" + newer, "\"currentWorker\":\"pod-2\"");
            assertUntouched(state, newState);
            JsonNode evidence = api(first)
                    .read("/api/v1/failures?key=order-42")
                    .json()
                    .path("items")
                    .path(0);
            assertThat(evidence.path("problem").stringValue()).isEqualTo("attempt-fenced");
            assertThat(evidence.path("worker").stringValue()).isEqualTo("pod-1");
            assertThat(evidence.path("fencedBy").path("worker").stringValue()).isEqualTo("pod-2");

            topic.awaitCompacted(this::fill, "[\"s\",\"order-42\",7,\"charge-card\"]");
            topic.awaitCompacted(this::fill, "[\"a\",\"order-42\"]");
            first.restart();
            second.restart();
            first.awaitReady(PATIENCE);
            second.awaitReady(PATIENCE);

            for (ServiceProcess service : List.of(first, second)) {
                Answer again = put(service, state, "\"zombie\"", old);
                assertThat(again.problem()).isEqualTo("attempt-fenced");
                assertThat(again.json().path("currentWorker").stringValue()).isEqualTo("pod-2");
            }
            assertUntouched(state, newState);
        } finally {
            worker.destroyForcibly();
        }
    }

    /** A process of a worker that stops its own clock right before it sends its put. */
    private Process stoppedBeforeItsPut(String state, long attempt) throws IOException {
        Process worker = new ProcessBuilder(
                        "sh",
                        "-c",
                        "kill -STOP $$; exec curl -s -w '%{http_code}' -X PUT \"$0\" -H \"Attempt: $1\" -d '\"zombie\"'"
                                + " -H 'Content-Type: application/json'",
                        first.baseUri() + "/api/v1/states/" + state,
                        Long.toString(attempt))
                .redirectErrorStream(true)
                .start();
        await().atMost(PATIENCE).until(() -> statusOf(worker).contains("T (stopped)"));
        return worker;
    }

    private static String statusOf(Process process) throws IOException {
        return java.nio.file.Files.readString(java.nio.file.Path.of("/proc/%d/status".formatted(process.pid())));
    }

    private static void signal(String signal, Process process) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private void assertUntouched(String state, Answer put) {
        for (ServiceProcess service : List.of(first, second)) {
            Answer get = api(service).get(state + "?consistency=strong");
            assertThat(get.text()).isEqualTo("\"theirs\"");
            assertThat(get.header("ETag")).isEqualTo(put.header("ETag"));
        }
    }

    @Test
    void whatAVoidRecordHidesWhoseWriterWasKilledIsRestoredAndCompactionKeepsIt() throws Exception {
        String state = "order-43/1/charge-card";
        String recordKey = "[\"s\",\"order-43\",1,\"charge-card\"]";
        Answer put = api(first).put(state + "?completed=true", "{\"amount\": 12.50}");
        assertThat(put.status()).isEqualTo(201);
        Answer before = api(first).get(state);
        leaveAVoidRecord(recordKey);

        await().atMost(PATIENCE)
                .until(() -> topic.records().stream().anyMatch(record -> isRestoreOf(record, recordKey)));
        topic.awaitCompacted(this::fill, recordKey);
        first.restart();
        second.restart();
        for (ServiceProcess service : List.of(first, second)) {
            service.awaitReady(PATIENCE);
            Answer after = api(service).get(state);
            assertThat(after.text()).isEqualTo("{\"amount\": 12.50}");
            for (String header :
                    List.of("ETag", "Last-Modified", "State-Completed", "State-Write-Id", "Content-Type")) {
                assertThat(after.header(header)).as(header).isEqualTo(before.header(header));
            }
        }
        assertThat(api(first)
                        .put(state, "2".getBytes(StandardCharsets.UTF_8), "If-Match", put.header("ETag"))
                        .status())
                .isEqualTo(200);
    }

    /** What an instance writes that is killed before it learns that somebody else was faster. */
    private void leaveAVoidRecord(String recordKey) throws Exception {
        try (var producer =
                new KafkaProducer<>(cluster.clientSettings(), new ByteArraySerializer(), new ByteArraySerializer())) {
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(TOPIC, 0, utf8(recordKey), utf8("\"of the one that was killed\""));
            record.headers()
                    .add("ds.v", utf8("1"))
                    .add("ds.write-id", utf8("void"))
                    .add("ds.if-revision", utf8("none"));
            producer.send(record).get();
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isRestoreOf(ConsumerRecord<byte[], byte[]> record, String recordKey) {
        Header restores = record.headers().lastHeader("ds.restores");
        return restores != null && new String(record.key(), StandardCharsets.UTF_8).equals(recordKey);
    }

    private void fill() {
        api(first).put("filler/1/fill", "\"%d\"".formatted(System.nanoTime()));
    }
}
