package io.durablestate.log;

import io.durablestate.DurableStateProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts of this package that need no more than the settings. */
@Configuration(proxyBeanMethods = false)
class LogConfiguration {

    @Bean
    RecordCodec recordCodec(DurableStateProperties properties) {
        return new RecordCodec(properties.topic(), properties.instanceId());
    }
}
