package io.durablestate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class SettingsFailureAnalyzerTests {

    @EnableConfigurationProperties(DurableStateProperties.class)
    static class Service {}

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "durable-state.partitions=0 | durable-state.partitions is 0; allowed: 1 to 10000.",
                "durable-state.partitions=x | durable-state.partitions is x",
                "durable-state.max-state-size=1PB | Unknown data unit suffix 'PB'.",
                "durable-state.no-such=1 | durable-state.no-such is not a setting of the service",
                "durable-state.cache.no-such=1 | durable-state.cache.no-such is not a setting of the service"
            })
    void saysWhichSettingIsWrong(String setting, String sentence) {
        new ApplicationContextRunner()
                .withUserConfiguration(Service.class)
                .withPropertyValues(setting)
                .run(context -> {
                    FailureAnalysis analysis =
                            Objects.requireNonNull(new SettingsFailureAnalyzer().analyze(context.getStartupFailure()));
                    assertThat(analysis.getDescription()).contains(sentence).doesNotContain("Bindable", "@org");
                    assertThat(analysis.getAction()).contains("docs/operations.md");
                });
    }
}
