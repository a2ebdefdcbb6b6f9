package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.Broker;
import io.durablestate.testcluster.KafkaCluster;
import io.durablestate.testcluster.ServiceProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All that eight clients saw through two instances, while brokers die and come back, is explained by one order of the log. */
@Tag("chaos")
class HistoryChaosIT {

    private static final Duration DURATION = Duration.parse(System.getProperty("chaos.duration", "PT1M"));
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOPIC = "durable-state";
    private static final long CALLS = 5_000 * DURATION.toSeconds() / 60;
    private static final long SEED = 20_261_201;

    private KafkaCluster cluster;
    private List<ServiceProcess> services = List.of();

    @BeforeEach
    void start() {
        cluster = KafkaCluster.start(3);
        cluster.createTopic(
                TOPIC,
                3,
                3,
                Map.of("cleanup.policy", "compact", "min.insync.replicas", "2", "min.compaction.lag.ms", "3600000"));
        Map<String, String> properties = new HashMap<>(cluster.springProperties());
        properties.put("spring.kafka.producer.properties.delivery.timeout.ms", "6000");
        services = List.of(ServiceProcess.start(properties), ServiceProcess.start(properties));
        services.forEach(service -> service.awaitReady(PATIENCE));
    }

    @AfterEach
    void stop() {
        try (KafkaCluster ending = cluster) {
            services.forEach(ServiceProcess::close);
        }
    }

    @Test
    void everyAnswerIsExplainedByOneOrderOfTheLog() {
        List<Api> apis =
                services.stream().map(service -> new Api(service::baseUri)).toList();
        try (HistoryClients clients = new HistoryClients(apis, 8, 10, SEED)) {
            long start = System.nanoTime();
            Runnable end = clients.start();
            for (int partition = 0; partition < 2; partition++) {
                awaitShare(start, 2 * partition + 1);
                Broker broker = cluster.broker(cluster.leaderOf(TOPIC, partition));
                broker.kill();
                awaitShare(start, 2 * partition + 2);
                broker.restart();
            }
            await().atMost(DURATION.plus(PATIENCE)).until(() -> clients.calls() >= CALLS);
            end.run();
            cluster.awaitReady();
            clients.race();
            services.forEach(ServiceProcess::restart);
            services.forEach(service -> service.awaitReady(PATIENCE));
            clients.readEverything();

            System.out.printf("History: %d calls, %s%n", clients.calls(), new TreeMap<>(clients.outcomes()));
            assertThat(clients.violation()).isEmpty();
        }
    }

    /** Waits until a number of fifths of the time have passed. */
    private static void awaitShare(long start, int fifths) {
        await().atMost(DURATION.plus(PATIENCE))
                .until(() -> System.nanoTime() - start
                        > DURATION.multipliedBy(fifths).dividedBy(5).toNanos());
    }
}
