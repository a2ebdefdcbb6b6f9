package io.durablestate.fault;

import io.durablestate.DataLocation;
import io.durablestate.StartRefusedException;
import io.durablestate.log.KafkaStateLog;
import io.durablestate.state.StateLog;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Brings the faults, when they are asked for and the broker is the embedded one: never on a cluster that others use. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("durable-state.faults.enabled")
class FaultConfiguration {

    @Bean
    FaultKit faultKit(ObjectProvider<DataLocation> embeddedBroker) {
        if (embeddedBroker.getIfAvailable() == null) {
            throw new StartRefusedException(
                    "durable-state.faults.enabled is set, and spring.kafka.bootstrap-servers names a cluster.",
                    "Faults are for the embedded broker only: remove one of the two settings.",
                    null);
        }
        return new FaultKit();
    }

    @Bean
    @Primary
    StateLog faultyStateLog(KafkaStateLog stateLog, FaultKit kit) {
        return new FaultyStateLog(stateLog, kit);
    }
}
