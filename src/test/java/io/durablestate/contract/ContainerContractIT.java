package io.durablestate.contract;

import io.durablestate.testcluster.ServiceProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.kafka.KafkaContainer;

/** The contract on a broker in a container; runs where Docker is, and says so where it is not. */
@Tag("docker")
@Testcontainers(disabledWithoutDocker = true)
class ContainerContractIT extends HttpContract {

    @Container
    private static final KafkaContainer KAFKA = new KafkaContainer("apache/kafka:4.1.2");

    private ServiceProcess service;
    private Api api;

    @BeforeAll
    void start() {
        service = ServiceProcess.start(Map.of("spring.kafka.bootstrap-servers", KAFKA.getBootstrapServers()));
        service.awaitReady(Duration.ofSeconds(60));
        api = new Api(service::baseUri);
    }

    @AfterAll
    void stop() {
        service.close();
    }

    @Override
    Api api() {
        return api;
    }
}
