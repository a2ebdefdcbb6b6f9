package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.testcluster.KafkaCluster;
import io.durablestate.testcluster.ServiceProcess;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The contract on three brokers, each in a JVM of its own. */
class ThreeBrokersContractIT extends HttpContract {

    private KafkaCluster cluster;
    private ServiceProcess service;
    private Api api;

    @BeforeAll
    void start() {
        cluster = KafkaCluster.start(3);
        service = ServiceProcess.start(Map.of("spring.kafka.bootstrap-servers", cluster.bootstrapServers()));
        service.awaitReady(Duration.ofSeconds(60));
        api = new Api(service::baseUri);
    }

    @AfterAll
    void stop() {
        try (KafkaCluster ending = cluster) {
            service.close();
        }
    }

    @Override
    Api api() {
        return api;
    }

    @Test
    void aClusterOfThreeIsReplicatedAndNoBrokerIsStartedBesideIt() {
        JsonNode durability = api.read("/api/v1/durability").json();

        assertThat(durability.path("verdict").stringValue()).isEqualTo("replicated");
        assertThat(durability.path("replicationFactor").intValue()).isEqualTo(3);
        assertThat(durability.path("minInsyncReplicas").intValue()).isEqualTo(2);
        assertThat(Files.exists(service.directory().resolve("data"))).isFalse();
        assertThat(service.log()).doesNotContain("Embedded broker");
    }
}
