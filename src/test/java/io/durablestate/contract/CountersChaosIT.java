package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.Broker;
import io.durablestate.testcluster.KafkaCluster;
import io.durablestate.testcluster.ServiceProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Writers that count with {@code If-Match} through two instances, while a broker dies and comes back. */
@Tag("chaos")
class CountersChaosIT {

    private static final Duration DURATION = Duration.parse(System.getProperty("chaos.duration", "PT1M"));
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int WRITERS = 8;
    private static final int COUNTERS = 3;

    /** An increment of which nobody knows whether it took place. */
    private record Unknown(int counter, int instance, String writeId) {}

    private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(COUNTERS);
    private final AtomicIntegerArray refused = new AtomicIntegerArray(COUNTERS);
    private final ConcurrentLinkedQueue<Unknown> unknown = new ConcurrentLinkedQueue<>();
    private KafkaCluster cluster;
    private List<ServiceProcess> services = List.of();
    private List<Api> apis = List.of();

    @BeforeEach
    void start() {
        cluster = KafkaCluster.start(3);
        Map<String, String> properties = new HashMap<>(cluster.springProperties());
        properties.put("spring.kafka.producer.properties.delivery.timeout.ms", "6000");
        properties.put("durable-state.failures.settle-after", "3s");
        properties.put("durable-state.failures.capacity", "10000");
        services = List.of(ServiceProcess.start(properties), ServiceProcess.start(properties));
        services.forEach(service -> service.awaitReady(PATIENCE));
        apis = services.stream().map(service -> new Api(service::baseUri)).toList();
    }

    @AfterEach
    void stop() {
        writers.shutdownNow();
        try (KafkaCluster ending = cluster) {
            services.forEach(ServiceProcess::close);
        }
    }

    private static String counter(int number) {
        return "counter-" + number + "/0/total";
    }

    @Test
    void noIncrementIsLostOrCountedTwice() throws Exception {
        for (int i = 0; i < COUNTERS; i++) {
            assertThat(apis.get(0)
                            .put(counter(i), "0".getBytes(StandardCharsets.UTF_8), "If-None-Match", "*")
                            .status())
                    .isEqualTo(201);
        }
        long end = System.nanoTime() + DURATION.toNanos();
        List<Future<?>> counting = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Random random = new Random(i);
            counting.add(writers.submit(() -> count(random, end)));
        }
        Broker broker = cluster.broker(cluster.leaderOf("durable-state", 0));
        await().atMost(PATIENCE)
                .until(() -> remaining(end).compareTo(DURATION.multipliedBy(2).dividedBy(3)) < 0);
        broker.kill();
        await().atMost(PATIENCE).until(() -> remaining(end).compareTo(DURATION.dividedBy(3)) < 0);
        broker.restart();
        for (Future<?> writer : counting) {
            writer.get();
        }
        cluster.awaitReady();

        int[] turnedUp = new int[COUNTERS];
        await().atMost(PATIENCE).until(() -> unknown.stream().allMatch(this::isSettled));
        unknown.forEach(write -> turnedUp[write.counter()] += outcomeOf(write).equals("persisted") ? 1 : 0);
        int allAcknowledged =
                IntStream.range(0, COUNTERS).map(acknowledged::get).sum();
        System.out.printf(
                "Counters: %d acknowledged, %d refused, %d unknown of which %d turned up%n",
                allAcknowledged,
                IntStream.range(0, COUNTERS).map(refused::get).sum(),
                unknown.size(),
                IntStream.of(turnedUp).sum());
        assertThat(allAcknowledged).isGreaterThan(COUNTERS * WRITERS);
        for (int i = 0; i < COUNTERS; i++) {
            for (Api api : apis) {
                assertThat(api.get(counter(i) + "?consistency=strong").text())
                        .as("counter %d: %d acknowledged, %d turned up", i, acknowledged.get(i), turnedUp[i])
                        .isEqualTo(Integer.toString(acknowledged.get(i) + turnedUp[i]));
            }
        }
    }

    private static Duration remaining(long end) {
        return Duration.ofNanos(end - System.nanoTime());
    }

    private void count(Random random, long end) {
        for (int turn = 0; System.nanoTime() < end; turn++) {
            int instance = turn % 2;
            int number = random.nextInt(COUNTERS);
            Api api = apis.get(instance);
            Answer seen = api.get(counter(number) + "?consistency=strong");
            if (!seen.isSuccess()) {
                continue; // not now
            }
            String next = Integer.toString(Integer.parseInt(seen.text()) + 1);
            Answer put =
                    api.put(counter(number), next.getBytes(StandardCharsets.UTF_8), "If-Match", seen.header("ETag"));
            if (put.isSuccess()) {
                acknowledged.incrementAndGet(number);
            } else if (put.outcome().equals("unknown")) {
                unknown.add(
                        new Unknown(number, instance, put.json().path("writeId").stringValue()));
            } else {
                assertThat(put.outcome()).as(put.toString()).isEqualTo("not-persisted");
                refused.incrementAndGet(number);
            }
        }
    }

    /** An unknown outcome is settled by a later write to the partition, so there is one. */
    private boolean isSettled(Unknown write) {
        apis.get(write.instance()).put("counter-" + write.counter() + "/0/later", "1");
        return !outcomeOf(write).equals("unknown");
    }

    private String outcomeOf(Unknown write) {
        String cursor = "";
        while (cursor != null) {
            JsonNode page = apis.get(write.instance())
                    .read("/api/v1/failures?limit=1000&key=counter-" + write.counter()
                            + (cursor.isEmpty() ? "" : "&cursor=" + cursor))
                    .json();
            for (JsonNode failure : page.path("items")) {
                if (failure.path("writeId").stringValue().equals(write.writeId())) {
                    return failure.path("outcome").stringValue();
                }
            }
            cursor = page.path("next").stringValue(null);
        }
        throw new AssertionError("A write of unknown outcome is not among the failures: " + write);
    }
}
