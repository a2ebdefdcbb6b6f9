package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.KafkaCluster;
import io.durablestate.testcluster.ServiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of histories finds out a service that breaks a rule, and lets one pass that keeps them all. */
@Tag("chaos")
class MutantsChaosIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CALLS = 1_000;
    private static final String TOPIC = "durable-state";
    private static final long SEED = 4_711;

    private final KafkaCluster cluster =
            KafkaCluster.builder().setting("log.cleaner.backoff.ms", "200").start();
    private final List<ServiceProcess> services = new ArrayList<>();

    @AfterEach
    void stop() {
        try (cluster) {
            services.forEach(ServiceProcess::close);
        }
    }

    @Test
    void aServiceThatKeepsTheRulesPasses() {
        assertThat(violation(ServiceProcess.builder(), ServiceProcess.builder()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SKIP_THE_VERDICT", "SKIP_THE_RESTORE", "SHOW_BEFORE_THE_ACKNOWLEDGEMENT"})
    void aServiceThatBreaksOneIsFoundOut(String mutation) {
        Optional<String> violation = violation(
                ServiceProcess.builder().mutation(mutation),
                ServiceProcess.builder().mutation(mutation));
        assertThat(violation).isPresent();
        System.out.printf("%s: %s%n", mutation, violation.orElseThrow());
    }

    /** What clients saw who were at work, and read everything after the log was compacted and replayed. */
    private Optional<String> violation(ServiceProcess.Builder... instances) {
        CompactedTopic topic = CompactedTopic.create(cluster, TOPIC, 1, Duration.ofSeconds(2));
        for (ServiceProcess.Builder instance : instances) {
            services.add(instance.properties(cluster.springProperties()).start());
        }
        services.forEach(service -> service.awaitReady(PATIENCE));
        List<Api> apis =
                services.stream().map(service -> new Api(service::baseUri)).toList();
        try (HistoryClients clients = new HistoryClients(apis, 8, 4, SEED)) {
            Runnable end = clients.start();
            await().atMost(PATIENCE).until(() -> clients.calls() >= CALLS);
            end.run();
            clients.race();
            topic.awaitCompacted(
                    () -> apis.get(0).put("filler/1/fill", "\"%d\"".formatted(System.nanoTime())),
                    key -> key.contains("\"key-"));
            services.forEach(ServiceProcess::restart);
            services.forEach(service -> service.awaitReady(PATIENCE));
            clients.readEverything();
            return clients.violation();
        }
    }
}
