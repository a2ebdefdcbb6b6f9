package io.durablestate.state;

import io.durablestate.log.KafkaStateLog;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Makes the service a mutant, when it is started with these classes and told which. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(MutantConfiguration.PROPERTY)
public class MutantConfiguration {

    /** The property that says which rule is broken. */
    public static final String PROPERTY = "mutation";

    @Bean
    @Primary
    StateLog mutantStateLog(
            KafkaStateLog stateLog,
            FoldedLog foldedLog,
            @Value("${" + PROPERTY + "}") MutantStateLog.Mutation mutation) {
        return new MutantStateLog(stateLog, foldedLog, mutation);
    }
}
