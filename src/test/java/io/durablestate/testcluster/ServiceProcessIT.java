package io.durablestate.testcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceProcessIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void comesBackOnItsDataAfterACrash() {
        try (ServiceProcess service = ServiceProcess.start(Map.of())) {
            service.awaitReady(PATIENCE);
            assertThat(service.directory().resolve("data")).isDirectory();
            service.kill();
            assertThat(service.isAlive()).isFalse();

            service.restart();
            service.awaitReady(PATIENCE);
            assertThat(service.terminate()).isEqualTo(143);
        }
    }

    @Test
    void endsWhenItsSettingsAreWrong() {
        try (ServiceProcess service = ServiceProcess.start(Map.of("spring.kafka.bootstrap-servers", ""))) {
            assertThat(service.awaitEnd(PATIENCE)).isEqualTo(1);
            assertThat(service.log()).contains("spring.kafka.bootstrap-servers is set, but names no broker");
            assertThatThrownBy(() -> service.awaitReady(PATIENCE))
                    .hasMessageContainingAll("exit code 1", "names no broker");
        }
    }
}
