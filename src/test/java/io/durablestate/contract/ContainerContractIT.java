package io.durablestate.contract;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.kafka.KafkaContainer;

/** The contract on a broker in a container; runs where Docker is, and says so where it is not. */
@Tag("docker")
@Testcontainers(disabledWithoutDocker = true)
class ContainerContractIT extends WorkerContract {

    @Container
    private static final KafkaContainer KAFKA = new KafkaContainer("apache/kafka:4.1.2");

    @Override
    Map<String, String> startKafka() {
        return Map.of("spring.kafka.bootstrap-servers", KAFKA.getBootstrapServers());
    }
}
