package io.durablestate.contract;

import io.durablestate.testcluster.ServiceProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on the broker inside the process. */
class EmbeddedBrokerContractIT extends HttpContract {

    private ServiceProcess service;
    private Api api;

    @BeforeAll
    void start() {
        service = ServiceProcess.start(Map.of());
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
