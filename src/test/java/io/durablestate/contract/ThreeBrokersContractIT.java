package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.testcluster.KafkaCluster;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The contract on three brokers, each in a JVM of its own. */
class ThreeBrokersContractIT extends WorkerContract {

    private KafkaCluster cluster;

    @Override
    Map<String, String> startKafka() {
        cluster = KafkaCluster.start(3);
        return Map.of("spring.kafka.bootstrap-servers", cluster.bootstrapServers());
    }

    @Override
    void stopKafka() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void aClusterOfThreeIsReplicatedAndNoBrokerIsStartedBesideIt() {
        JsonNode durability = api().read("/api/v1/durability").json();

        assertThat(durability.path("verdict").stringValue()).isEqualTo("replicated");
        assertThat(durability.path("replicationFactor").intValue()).isEqualTo(3);
        assertThat(durability.path("minInsyncReplicas").intValue()).isEqualTo(2);
        assertThat(Files.exists(service().directory().resolve("data"))).isFalse();
        assertThat(service().log()).doesNotContain("Embedded broker");
    }
}
