package io.durablestate.contract;

import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.KafkaCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic for states, of one partition, that is compacted all the time. */
final class CompactedTopic {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final KafkaCluster cluster;
    private final TopicPartition partition;

    private CompactedTopic(KafkaCluster cluster, TopicPartition partition) {
        this.cluster = cluster;
        this.partition = partition;
    }

    /** @param lag how old a record is at least when it is compacted away */
    static CompactedTopic create(KafkaCluster cluster, String name, int replicas, Duration lag) {
        cluster.createTopic(
                name,
                1,
                replicas,
                Map.of(
                        "cleanup.policy", "compact",
                        "min.insync.replicas", Integer.toString(Math.max(1, replicas - 1)),
                        "min.compaction.lag.ms", Long.toString(lag.toMillis()),
                        "min.cleanable.dirty.ratio", "0.001",
                        "segment.ms", "500"));
        return new CompactedTopic(cluster, new TopicPartition(name, 0));
    }

    /** Every record that there is now. */
    List<ConsumerRecord<byte[], byte[]>> records() {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(
                cluster.clientSettings(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    /**
     * Waits until there is a single record of a Kafka key.
     *
     * @param write writes something else; only what a newer segment follows is compacted
     */
    void awaitCompacted(Runnable write, String recordKey) {
        awaitCompacted(write, recordKey::equals);
    }

    /** The same for every Kafka key of some. */
    void awaitCompacted(Runnable write, Predicate<String> recordKeys) {
        await().atMost(PATIENCE).until(() -> {
            write.run();
            Map<String, Long> counts = records().stream()
                    .map(record -> new String(record.key(), StandardCharsets.UTF_8))
                    .filter(recordKeys)
                    .collect(Collectors.groupingBy(key -> key, Collectors.counting()));
            return !counts.isEmpty() && counts.values().stream().allMatch(count -> count == 1);
        });
    }
}
