package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.Broker;
import io.durablestate.testcluster.KafkaCluster;
import io.durablestate.testcluster.ServiceProcess;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;

/** One broker that goes down, freezes and comes back, with the service beside it. Each test leaves both well. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OneBrokerFaultsIT {

    private static final Duration MAX_BLOCK = Duration.ofSeconds(4);
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(8);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ExecutorService clients = Executors.newCachedThreadPool();
    private KafkaCluster cluster;
    private Broker broker;
    private ServiceProcess service;
    private Api api;

    @BeforeAll
    void start() {
        cluster = KafkaCluster.start(1);
        broker = cluster.brokers().get(0);
        cluster.createTopic(
                "durable-state",
                4,
                1,
                Map.of("cleanup.policy", "compact", "max.message.bytes", "10000", "min.compaction.lag.ms", "3600000"));
        broker.stop();
        service = ServiceProcess.start(Map.of(
                "spring.kafka.bootstrap-servers",
                cluster.bootstrapServers(),
                "spring.kafka.producer.properties.max.block.ms",
                Long.toString(MAX_BLOCK.toMillis()),
                "spring.kafka.producer.properties.delivery.timeout.ms",
                Long.toString(DELIVERY_TIMEOUT.toMillis()),
                "durable-state.failures.settle-after",
                "2s"));
        api = new Api(service::baseUri);
    }

    @AfterEach
    void thaw() {
        broker.thaw();
    }

    @AfterAll
    void stop() {
        clients.shutdownNow();
        try (KafkaCluster ending = cluster) {
            service.close();
        }
    }

    @Test
    @Order(1)
    void withoutKafkaTheServiceStartsSaysWhyItIsNotReadyAndBecomesReadyByItself() {
        service.awaitStarted(PATIENCE);
        assertThat(api.read("/actuator/health/liveness").status()).isEqualTo(200);
        assertThat(api.read("/actuator/health/readiness").status()).isEqualTo(503);
        assertThat(api.read("/actuator/health").json().path("status").stringValue())
                .isEqualTo("DOWN");
        assertThat(api.read("/api/v1/durability").json().path("verdict").stringValue())
                .isEqualTo("unavailable");
        assertThat(api.read("/api/v1/status").json().path("obstacle").stringValue())
                .isNotEmpty();
        Answer put = api.put("early/1/a", "1");
        assertThat(put.status()).isEqualTo(503);
        assertThat(put.problem()).isIn("recovering", "kafka-unavailable");
        assertThat(put.outcome()).isEqualTo("not-persisted");
        assertThat(put.header("Retry-After")).isNotEmpty();
        assertThat(api.get("early/1/a").status()).isEqualTo(503);
        assertThat(api.read("/api/v1/states").status()).isEqualTo(503);

        broker.restart();
        service.awaitReady(PATIENCE);

        assertThat(api.put("early/1/a", "1").status()).isEqualTo(201);
    }

    @Test
    @Order(2)
    void aStateThatIsTooLargeForTheTopicIsRefusedAndNotReadable() {
        byte[] body = ("\"" + "x".repeat(19_998) + "\"").getBytes(StandardCharsets.UTF_8);

        Answer put = api.put("too-large/1/a", body);

        assertThat(put.status()).isEqualTo(413);
        assertThat(put.problem()).isEqualTo("state-too-large");
        assertThat(put.outcome()).isEqualTo("not-persisted");
        assertThat(api.get("too-large/1/a").status()).isEqualTo(404);
        JsonNode failures = failuresOf("too-large");
        assertThat(failures).hasSize(1);
        JsonNode failure = failures.get(0);
        assertThat(failure.path("rootCause").path("type").stringValue()).endsWith("RecordTooLargeException");
        assertThat(failure.path("phase").stringValue()).isEqualTo("acknowledgement");
        assertThat(failure.path("outcome").stringValue()).isEqualTo("not-persisted");
        assertThat(failure.path("status").intValue()).isEqualTo(413);
        assertThat(api.read("/api/v1/failures/" + failure.path("id").stringValue())
                        .json())
                .isEqualTo(failure);
        assertThat(api.read("/api/v1/failures?cause=RecordTooLargeException")
                        .json()
                        .path("items"))
                .hasSize(1);
        assertThat(api.read("/api/v1/failures/causes").text()).contains("RecordTooLargeException");
    }

    @Test
    @Order(2)
    void statesThatFitTheTopicOnlyOneByOneAreAllStored() {
        byte[] body = ("\"" + "x".repeat(5_998) + "\"").getBytes(StandardCharsets.UTF_8);

        List<Future<Answer>> puts = IntStream.range(0, 40)
                .mapToObj(i -> clients.submit(() -> api.put("together/" + i + "/a", body)))
                .toList();

        assertThat(puts).allSatisfy(put -> assertThat(put.get().status()).isEqualTo(201));
        assertThat(failuresOf("together")).isEmpty();
    }

    private JsonNode failuresOf(String key) {
        return api.read("/api/v1/failures?key=" + key).json().path("items");
    }

    @Test
    @Order(3)
    void whileTheBrokerIsDownAPutIsAnsweredInTimeAndTheSamePutWorksAfterwards() {
        api.put("down/1/a", "\"before\"");
        broker.kill();

        long begin = System.nanoTime();
        Answer put = api.put("down/1/a", "\"after\"");
        Duration took = Duration.ofNanos(System.nanoTime() - begin);

        assertThat(put.status()).isEqualTo(503);
        assertThat(put.problem()).isEqualTo("kafka-unavailable");
        assertThat(put.outcome()).isEqualTo("not-persisted");
        assertThat(put.header("Retry-After")).isNotEmpty();
        assertThat(took).isLessThan(MAX_BLOCK.plusSeconds(1));
        assertThat(failuresOf("down").get(0).path("problem").stringValue()).isEqualTo("kafka-unavailable");
        assertThat(api.read("/actuator/health").json().path("status").stringValue())
                .isNotEqualTo("UP");
        assertThat(api.get("down/1/a").text()).isEqualTo("\"before\"");

        broker.restart();
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(api.put("down/1/a", "\"after\"").status()).isEqualTo(200));
        service.awaitReady(PATIENCE);
        assertThat(api.get("down/1/a").text()).isEqualTo("\"after\"");
    }

    @Test
    @Order(4)
    void threeHundredPutsThatHangDoNotHoldUpHealthAndReads() {
        api.put("hang/0/a", "1");
        broker.freeze();
        List<CompletableFuture<Answer>> hanging = new ArrayList<>();
        for (int i = 1; i <= 300; i++) {
            String state = "hang/" + i + "/a";
            hanging.add(CompletableFuture.supplyAsync(() -> api.put(state, "1"), clients));
        }
        await().atMost(PATIENCE)
                .until(() -> !api.read("/actuator/health/readiness").isSuccess());
        List<Duration> health = new ArrayList<>();
        List<Duration> reads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            health.add(durationOf("/actuator/health"));
            reads.add(durationOf("/api/v1/states/hang/0/a"));
        }
        long stillHanging = hanging.stream().filter(put -> !put.isDone()).count();
        broker.thaw();
        service.awaitReady(PATIENCE);

        System.out.printf("while %d puts hang: health %s, reads %s%n", stillHanging, median(health), median(reads));
        assertThat(stillHanging).isPositive();
        assertThat(median(health)).isLessThan(Duration.ofMillis(100));
        assertThat(median(reads)).isLessThan(Duration.ofMillis(100));
        for (int i = 0; i < hanging.size(); i++) {
            Answer answer = hanging.get(i).join();
            if (answer.isSuccess()) {
                assertThat(api.get("hang/" + (i + 1) + "/a").status()).isEqualTo(200);
            } else {
                assertThat(answer.status()).isIn(503, 504);
                assertThat(answer.outcome()).isIn("not-persisted", "unknown");
            }
        }
        assertEveryFailureOf("hang");
    }

    private static Duration median(List<Duration> durations) {
        return durations.stream().sorted().toList().get(durations.size() / 2);
    }

    private Duration durationOf(String path) {
        long begin = System.nanoTime();
        api.read(path);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /** What was called unknown gets settled; what was not persisted cannot be read, what was persisted can. */
    private void assertEveryFailureOf(String key) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(api.read("/api/v1/failures?outcome=unknown&key=" + key)
                                .json()
                                .path("items"))
                        .isEmpty());
        for (JsonNode failure :
                api.read("/api/v1/failures?limit=1000&key=" + key).json().path("items")) {
            Answer get = api.get(key + "/" + failure.path("sequence").longValue() + "/a");
            boolean persisted = failure.path("outcome").stringValue().equals("persisted");
            assertThat(get.status()).as(failure.toString()).isEqualTo(persisted ? 200 : 404);
            if (persisted) {
                assertThat(get.header("ETag"))
                        .isEqualTo('"' + failure.path("revision").stringValue() + '"');
            }
        }
    }

    @Test
    @Order(5)
    void aTimeoutIsUnknownUntilTheLogTellsAndARestartShowsTheSame() {
        api.put("timeout/0/a", "1");
        broker.freeze();
        long begin = System.nanoTime();
        Answer put = api.put("timeout/1/a", "\"late\"");
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        broker.thaw();

        assertThat(put.status()).isEqualTo(504);
        assertThat(put.problem()).isEqualTo("ack-timeout");
        assertThat(put.outcome()).isEqualTo("unknown");
        assertThat(took).isBetween(DELIVERY_TIMEOUT.minusSeconds(1), DELIVERY_TIMEOUT.plusSeconds(2));
        service.awaitReady(PATIENCE);
        assertEveryFailureOf("timeout");
        Answer before = api.get("timeout/1/a");
        String outcome = failuresOf("timeout").get(0).path("outcome").stringValue();
        assertThat(outcome).isEqualTo(before.isSuccess() ? "persisted" : "not-persisted");

        service.kill();
        service.restart();
        service.awaitReady(PATIENCE);
        Answer after = api.get("timeout/1/a");
        assertThat(after.status()).isEqualTo(before.status());
        assertThat(after.header("ETag")).isEqualTo(before.header("ETag"));
    }

    @Test
    @Order(6)
    void aClientThatGoesAwayLeavesNoFailureAndNoHalfState() throws Exception {
        broker.freeze();
        URI address = service.baseUri();
        try (Socket waiting = new Socket(address.getHost(), address.getPort());
                Socket halfWay = new Socket(address.getHost(), address.getPort())) {
            waiting.getOutputStream().write(request("gone/1/a", 3, "\"x\""));
            halfWay.getOutputStream().write(request("gone/2/a", 100, "\"only the beginning"));
        }
        broker.thaw();
        service.awaitReady(PATIENCE);

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(api.put("gone/3/a", "1").isSuccess()).isTrue());
        assertThat(api.get("gone/2/a").status()).isEqualTo(404);
        assertThat(api.get("gone/1/a").status()).isIn(200, 404);
        assertThat(failuresOf("gone")).isEmpty();
    }

    private static byte[] request(String state, int length, String body) {
        return ("PUT /api/v1/states/" + state + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + "\r\n\r\n"
                        + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @Order(7)
    void aServiceThatIsStoppedAnswersWhatIsUnderWay() {
        api.put("stop/0/a", "1");
        broker.freeze();
        List<CompletableFuture<Answer>> underWay = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            String state = "stop/" + i + "/a";
            underWay.add(CompletableFuture.supplyAsync(() -> api.put(state, "1"), clients));
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(busyRequests()).isGreaterThanOrEqualTo(20));
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(service::terminate, clients);
        await().atMost(PATIENCE).until(() -> !isListening());
        broker.thaw();

        List<Answer> answers = underWay.stream().map(CompletableFuture::join).toList();
        assertThat(exit.join()).isEqualTo(143);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isIn(200, 201, 503, 504));
        assertThat(answers).anySatisfy(answer -> assertThat(answer.isSuccess()).isTrue());

        service.restart();
        service.awaitReady(PATIENCE);
        for (int i = 1; i <= 20; i++) {
            if (answers.get(i - 1).isSuccess()) {
                assertThat(api.get("stop/" + i + "/a").header("ETag"))
                        .isEqualTo(answers.get(i - 1).header("ETag"));
            }
        }
    }

    /** Puts that have got as far as the producer. */
    private long busyRequests() {
        return api.read("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith("http_server_requests_active_seconds_count") && line.contains("PUT"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private boolean isListening() {
        URI address = service.baseUri();
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            return socket.isConnected();
        } catch (java.io.IOException e) {
            return false;
        }
    }
}
