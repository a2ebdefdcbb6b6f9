package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.Broker;
import io.durablestate.testcluster.KafkaCluster;
import io.durablestate.testcluster.ServiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The leader of one partition is frozen while the others are written to. */
class FrozenLeaderIT {

    private static final int PARTITIONS = 3;
    private static final int PUTS_A_SECOND = 100;
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(6);

    /** Long enough for Kafka to give the broker up, and for whatever the service holds on to without asking again. */
    private static final Duration FREEZE = Duration.ofSeconds(25);

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
    private KafkaCluster cluster;
    private ServiceProcess service;
    private Api api;

    @BeforeEach
    void start() {
        cluster = KafkaCluster.start(3);
        cluster.createTopic(
                "durable-state",
                PARTITIONS,
                1,
                Map.of("cleanup.policy", "compact", "min.compaction.lag.ms", "3600000"));
        service = ServiceProcess.start(Map.of(
                "spring.kafka.bootstrap-servers",
                cluster.bootstrapServers(),
                "spring.kafka.producer.properties.delivery.timeout.ms",
                Long.toString(DELIVERY_TIMEOUT.toMillis()),
                "durable-state.failures.settle-after",
                "3s"));
        api = new Api(service::baseUri);
        service.awaitReady(PATIENCE);
    }

    @AfterEach
    void stop() {
        pace.shutdownNow();
        clients.shutdownNow();
        try (KafkaCluster ending = cluster) {
            service.close();
        }
    }

    @Test
    void putsToOtherPartitionsKeepTheirPaceAndThoseToTheFrozenOneAreUnknownUntilItThaws() {
        List<String> keys = IntStream.range(0, PARTITIONS).mapToObj(this::keyIn).toList();
        int frozenPartition = 1;
        int leader = cluster.leaderOf("durable-state", frozenPartition);
        List<String> healthy = IntStream.range(0, PARTITIONS)
                .filter(partition -> cluster.leaderOf("durable-state", partition) != leader)
                .mapToObj(keys::get)
                .toList();
        assertThat(healthy).isNotEmpty();
        putsFor(Duration.ofSeconds(5), healthy); // warm-up
        double before = p99(putsFor(Duration.ofSeconds(5), healthy));

        Broker frozen = cluster.broker(leader);
        frozen.freeze();
        List<CompletableFuture<Answer>> stuck = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            String state = keys.get(frozenPartition) + "/" + i + "/stuck";
            stuck.add(CompletableFuture.supplyAsync(() -> api.put(state, "1"), clients));
        }
        double during = p99(putsFor(FREEZE, healthy));
        assertThat(api.read("/actuator/health/readiness").status())
                .as("readiness while some partitions are stuck")
                .isEqualTo(200);
        List<Answer> answers = stuck.stream().map(CompletableFuture::join).toList();
        Duration took = Duration.ofNanos(System.nanoTime() - begin);

        System.out.printf("p99 of puts to other partitions: %.1f ms before, %.1f ms while frozen%n", before, during);
        assertThat(during).isLessThan(10 * Math.max(before, 5.0));
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.outcome()).isEqualTo("unknown");
        });
        assertThat(took).isLessThan(FREEZE.plus(DELIVERY_TIMEOUT).plusSeconds(2));
        assertThat(slowest(keys.get(frozenPartition)))
                .isLessThan((double) DELIVERY_TIMEOUT.plusSeconds(2).toMillis());
        assertThat(api.read("/actuator/health/liveness").status()).isEqualTo(200);

        frozen.thaw();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(api.read("/api/v1/failures?outcome=unknown")
                                .json()
                                .path("items"))
                        .isEmpty());
        for (JsonNode failure : api.read("/api/v1/failures").json().path("items")) {
            boolean persisted = failure.path("outcome").stringValue().equals("persisted");
            Answer get = api.get(failure.path("key").stringValue() + "/"
                    + failure.path("sequence").longValue() + "/stuck");
            assertThat(get.status()).isEqualTo(persisted ? 200 : 404);
        }
        service.awaitReady(PATIENCE);
        assertThat(api.put(keys.get(frozenPartition) + "/9/after", "1").status())
                .isEqualTo(201);
    }

    /** Milliseconds of the slowest failed write of a key. */
    private double slowest(String key) {
        double slowest = 0;
        for (JsonNode failure : api.read("/api/v1/failures?key=" + key).json().path("items")) {
            slowest = Math.max(
                    slowest, failure.path("elapsedMillis").path("total").doubleValue());
        }
        assertThat(slowest).isPositive();
        return slowest;
    }

    private String keyIn(int partition) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "frozen-" + i)
                .filter(key -> api.put(key + "/0/where", "1")
                        .json()
                        .path("revision")
                        .stringValue()
                        .startsWith(partition + "-"))
                .findFirst()
                .orElseThrow();
    }

    /** Puts at a steady pace; milliseconds that each took. */
    private List<Double> putsFor(Duration duration, List<String> keys) {
        List<Double> millis = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> puts = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger number = new AtomicInteger();
        long total = duration.toSeconds() * PUTS_A_SECOND;
        var ticking = pace.scheduleAtFixedRate(
                () -> {
                    int n = number.getAndIncrement();
                    if (n < total) {
                        String state = keys.get(n % keys.size()) + "/" + (n % 50) + "/steady";
                        puts.add(CompletableFuture.runAsync(() -> millis.add(timed(state)), clients));
                    }
                },
                0,
                1_000_000 / PUTS_A_SECOND,
                TimeUnit.MICROSECONDS);
        await().atMost(PATIENCE).until(() -> number.get() >= total);
        ticking.cancel(false);
        puts.forEach(CompletableFuture::join);
        return millis;
    }

    private double timed(String state) {
        long begin = System.nanoTime();
        Answer answer = api.put(state, "1");
        assertThat(answer.isSuccess()).as(answer.toString()).isTrue();
        return (System.nanoTime() - begin) / 1e6;
    }

    private static double p99(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get((int) (sorted.size() * 0.99));
    }
}
