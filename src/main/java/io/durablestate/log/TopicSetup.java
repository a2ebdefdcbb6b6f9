package io.durablestate.log;

import io.durablestate.DurableStateProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the state log's topic when it is missing, and refuses one that is not fit. Used by one thread. */
final class TopicSetup {

    private static final Logger log = LoggerFactory.getLogger(TopicSetup.class);

    /** A topic is opened by few calls; one that hangs must not hide for long why. */
    static final Map<String, Object> ADMIN_SETTINGS = Map.of(
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
            3_000,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            10_000);

    private static final int COPIES = 3;

    private final DurableStateProperties properties;
    private final int maxRecordBytes;
    private boolean seen;

    TopicSetup(DurableStateProperties properties, int maxRecordBytes) {
        this.properties = properties;
        this.maxRecordBytes = maxRecordBytes;
    }

    /**
     * The topic as it is, created if need be. A topic that was there and is gone is not created again, since that would hide
     * that every state is lost. Blocks until Kafka answers or the admin client gives up.
     *
     * @throws TopicRefusedException when the topic is not fit, or gone
     */
    StateTopic open(Admin admin) throws InterruptedException, ExecutionException {
        TopicDescription description = describe(admin);
        if (description == null) {
            if (seen) {
                throw new TopicRefusedException(
                        ("The topic %s was deleted while the service was running; create it again with cleanup.policy=compact,"
                                        + " or restart the service to have it created, empty")
                                .formatted(properties.topic()));
            }
            create(admin);
            description = describe(admin);
            if (description == null) {
                throw new UnknownTopicOrPartitionException(
                        "The topic has just been created and is not known everywhere yet");
            }
        }
        seen = true;
        TopicSettings.requireFit(
                properties.topic(), TopicSettings.read(admin, properties.topic(), new DescribeConfigsOptions()));
        return new StateTopic(
                properties.topic(),
                description.topicId(),
                description.partitions().size());
    }

    private @Nullable TopicDescription describe(Admin admin) throws InterruptedException, ExecutionException {
        try {
            return TopicSettings.describe(admin, properties.topic(), new DescribeTopicsOptions())
                    .get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return null;
            }
            throw e;
        }
    }

    private void create(Admin admin) throws InterruptedException, ExecutionException {
        short copies = properties.replicationFactor() != null
                ? properties.replicationFactor()
                : (short) Math.min(COPIES, admin.describeCluster().nodes().get().size());
        int minInsync = properties.minInsyncReplicas() != null
                ? properties.minInsyncReplicas()
                : copies >= COPIES ? COPIES - 1 : 1;
        Map<String, String> settings = new HashMap<>();
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        settings.put(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, Long.toString(TopicSettings.MIN_COMPACTION_LAG_MS));
        settings.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(minInsync));
        settings.put(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false");
        settings.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(maxRecordBytes));
        settings.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        NewTopic topic = new NewTopic(properties.topic(), Optional.of(properties.partitions()), Optional.of(copies))
                .configs(settings);
        try {
            admin.createTopics(List.of(topic)).all().get();
            log.info(
                    "Created the topic {} with {} partitions, {} copies each, min.insync.replicas={}",
                    properties.topic(),
                    properties.partitions(),
                    copies,
                    minInsync);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }
}
