package io.durablestate.log;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** The settings of the state log's topic that matter: read as they are in effect, and checked. */
public final class TopicSettings {

    /** How long compaction leaves records alone, so that void ones can be restored in time. */
    public static final long MIN_COMPACTION_LAG_MS = 3_600_000;

    private TopicSettings() {}

    /** The topic as it is; fails with {@code UnknownTopicOrPartitionException} when it is missing. */
    static KafkaFuture<TopicDescription> describe(Admin admin, String topic, DescribeTopicsOptions options) {
        return Objects.requireNonNull(
                admin.describeTopics(List.of(topic), options).topicNameValues().get(topic));
    }

    /** Effective settings by name. Blocks until Kafka answers or the admin client gives up. */
    static Map<String, String> read(Admin admin, String topic, DescribeConfigsOptions options)
            throws InterruptedException, ExecutionException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        KafkaFuture<Config> config = Objects.requireNonNull(
                admin.describeConfigs(List.of(resource), options).values().get(resource));
        return config.get().entries().stream()
                .filter(entry -> entry.value() != null)
                .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
    }

    /**
     * Refuses a topic that could lose what was acknowledged.
     *
     * @throws TopicRefusedException naming the setting
     */
    static void requireFit(String topic, Map<String, String> settings) {
        String policy = settings.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "");
        if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new TopicRefusedException(
                    ("The topic %s has cleanup.policy=%s, so Kafka deletes states by age or size; set cleanup.policy=compact"
                                    + " on the topic, or name another topic in durable-state.topic")
                            .formatted(topic, policy));
        }
    }
}
