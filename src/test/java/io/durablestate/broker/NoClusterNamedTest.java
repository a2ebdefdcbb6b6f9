package io.durablestate.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class NoClusterNamedTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(OneCopy.class);

    @Test
    void holdsWhenNothingIsSaidAboutKafka() {
        runner.run(context -> assertThat(context).hasSingleBean(OneCopy.class));
    }

    @Test
    void holdsWhenOtherThingsAreSaidAboutKafka() {
        runner.withPropertyValues("spring.kafka.producer.batch-size=1", "spring.kafka.properties.client.rack=a")
                .run(context -> assertThat(context).hasSingleBean(OneCopy.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.kafka.bootstrap-servers=broker:9092",
                "spring.kafka.bootstrap-servers=one:9092,two:9092",
                "spring.kafka.bootstrap-servers[0]=broker:9092",
                "spring.kafka.bootstrapServers=broker:9092"
            })
    void doesNotHoldWhenAClusterIsNamed(String property) {
        runner.withPropertyValues(property).run(context -> assertThat(context).doesNotHaveBean(OneCopy.class));
    }

    @Test
    void doesNotHoldWhenTheEnvironmentNamesACluster() {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                "systemEnvironment",
                                new SystemEnvironmentPropertySource(
                                        "systemEnvironment", Map.of("SPRING_KAFKA_BOOTSTRAP_SERVERS", "broker:9092"))))
                .run(context -> assertThat(context).doesNotHaveBean(OneCopy.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.kafka.bootstrap-servers=",
                "spring.kafka.bootstrap-servers= ",
                "spring.kafka.bootstrap-servers=,",
                "spring.kafka.bootstrap-servers[0]=",
                "spring.kafka.bootstrap-servers=${BROKERS_THAT_NOBODY_SET:}"
            })
    void refusesAClusterWithoutBrokers(String property) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(EmbeddedBrokerException.class)
                        .hasMessage("spring.kafka.bootstrap-servers is set, but names no broker."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.kafka.producer.bootstrap-servers",
                "spring.kafka.consumer.bootstrap-servers",
                "spring.kafka.admin.bootstrap-servers",
                "spring.kafka.properties.bootstrap.servers",
                "spring.kafka.producer.properties.bootstrap.servers",
                "spring.kafka.security.protocol",
                "spring.kafka.properties.security.protocol",
                "spring.kafka.ssl.bundle"
            })
    void refusesAClusterNamedInTheWrongPlace(String setting) {
        runner.withPropertyValues(setting + "=something")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(EmbeddedBrokerException.class)
                        .hasMessage(setting + " is set, but spring.kafka.bootstrap-servers is not."));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void showsARefusalAsDescriptionAndAction(CapturedOutput output) {
        SpringApplication application = new SpringApplicationBuilder(BrokerConfiguration.class)
                .web(WebApplicationType.NONE)
                .build();
        assertThatExceptionOfType(EmbeddedBrokerException.class)
                .isThrownBy(() -> application.run("--spring.kafka.bootstrap-servers="));
        assertThat(output)
                .contains("spring.kafka.bootstrap-servers is set, but names no broker.", "Name the brokers")
                .doesNotContain("\tat ");
    }

    @Configuration(proxyBeanMethods = false)
    @Conditional(NoClusterNamed.class)
    static class OneCopy {}
}
