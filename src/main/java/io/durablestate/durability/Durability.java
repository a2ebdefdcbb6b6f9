package io.durablestate.durability;

import io.durablestate.log.ClusterSnapshot;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdict with what it rests on.
 *
 * @param reasons why, a sentence each, the weightiest first; never empty
 * @param replicationFactor copies that each partition should have, the smallest one; null when Kafka does not say
 * @param minInsyncReplicas copies that must have a record before it is acknowledged; null when Kafka does not say
 * @param uncleanLeaderElection whether a broker that lacks acknowledged records may become leader; null when Kafka does not
 *     say
 * @param cleanupPolicy how the topic is cleaned up; null when Kafka does not say
 * @param fsyncBeforeAck whether every record is forced to disk before it is acknowledged; null when Kafka does not say
 * @param checkedAt when Kafka was last asked with success; null when it never answered
 * @param writable whether at least one partition acknowledges writes
 * @param partitions what is known of each partition
 */
public record Durability(
        Verdict verdict,
        List<String> reasons,
        @Nullable Integer replicationFactor,
        @Nullable Integer minInsyncReplicas,
        @Nullable Boolean uncleanLeaderElection,
        @Nullable String cleanupPolicy,
        @Nullable Boolean fsyncBeforeAck,
        @Nullable Instant checkedAt,
        boolean writable,
        List<ClusterSnapshot.PartitionSnapshot> partitions) {

    public Durability {
        reasons = List.copyOf(reasons);
        partitions = List.copyOf(partitions);
    }
}
