package io.durablestate.log;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka said of the state log's topic at one time.
 *
 * @param takenAt when Kafka was asked
 * @param topicId identity of the topic, null when there is no such topic
 * @param partitions by partition number; empty when there is no such topic
 * @param settings effective settings of the topic by name; empty when they could not be read
 */
public record ClusterSnapshot(
        Instant takenAt, @Nullable Uuid topicId, List<PartitionSnapshot> partitions, Map<String, String> settings) {

    public ClusterSnapshot {
        partitions = List.copyOf(partitions);
        settings = Map.copyOf(settings);
    }

    /**
     * One partition.
     *
     * @param leader broker that leads it, null when none does
     * @param replicas brokers that should have a copy
     * @param isr brokers whose copy is in sync
     * @param earliestOffset first offset that is kept, null when the leader did not say
     * @param endOffset offset of the next record, null when the leader did not say
     */
    public record PartitionSnapshot(
            int partition,
            @Nullable Integer leader,
            List<Integer> replicas,
            List<Integer> isr,
            @Nullable Long earliestOffset,
            @Nullable Long endOffset) {

        public PartitionSnapshot {
            replicas = List.copyOf(replicas);
            isr = List.copyOf(isr);
        }
    }

    /** The copies that must have a record before it is acknowledged; 1 when the setting could not be read. */
    public int minInsyncReplicas() {
        return Integer.parseInt(settings.getOrDefault("min.insync.replicas", "1"));
    }

    boolean hasLeader(int partition) {
        return partition < partitions.size() && partitions.get(partition).leader() != null;
    }

    /** Whether a partition has a leader and enough replicas in sync to acknowledge; Kafka never asks for more than it has. */
    public boolean canAcknowledge(PartitionSnapshot partition) {
        int needed = Math.min(minInsyncReplicas(), partition.replicas().size());
        return partition.leader() != null && partition.isr().size() >= needed;
    }

    boolean canAcknowledge(int partition) {
        return partition < partitions.size() && canAcknowledge(partitions.get(partition));
    }
}
