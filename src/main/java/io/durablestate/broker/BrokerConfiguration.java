package io.durablestate.broker;

import io.durablestate.DurableStateProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** Brings the embedded broker, and with it the address for all Kafka clients, when no cluster is named. */
@Configuration(proxyBeanMethods = false)
@Conditional(NoClusterNamed.class)
class BrokerConfiguration {

    @Bean
    EmbeddedBroker embeddedBroker(DurableStateProperties properties) {
        return new EmbeddedBroker(properties.embedded(), properties.maxStateSize());
    }
}
