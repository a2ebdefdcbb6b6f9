package io.durablestate.log;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicSettingsTests {

    @Test
    void acceptATopicThatIsCompacted() {
        assertThatNoException()
                .isThrownBy(() -> TopicSettings.requireFit(
                        "states", Map.of("cleanup.policy", "compact", "retention.ms", "604800000")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete", "compact,delete", "delete,compact", "", "COMPACTED"})
    void refuseATopicThatDeletesStatesByTheSettingsName(String policy) {
        assertThatExceptionOfType(TopicRefusedException.class)
                .isThrownBy(() -> TopicSettings.requireFit("states", Map.of("cleanup.policy", policy)))
                .withMessageContaining("states")
                .withMessageContaining("cleanup.policy=" + policy)
                .withMessageContaining("set cleanup.policy=compact");
    }

    @Test
    void refuseATopicThatDoesNotSay() {
        assertThatExceptionOfType(TopicRefusedException.class)
                .isThrownBy(() -> TopicSettings.requireFit("states", Map.of()))
                .withMessageContaining("cleanup.policy");
    }
}
