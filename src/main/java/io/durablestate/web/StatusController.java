package io.durablestate.web;

import io.durablestate.DurableStateProperties;
import io.durablestate.durability.Durability;
import io.durablestate.durability.DurabilityJudge;
import io.durablestate.log.ClusterSnapshot;
import io.durablestate.log.Lanes;
import io.durablestate.log.LogStatus;
import io.durablestate.log.ReaderLag;
import io.durablestate.state.FoldedLog;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** How this instance and its cluster are. Never waits for Kafka. */
@RestController
@Tag(name = "Status", description = "What durable means on this cluster, and how far this instance is")
class StatusController {

    private final DurableStateProperties properties;
    private final DurabilityJudge judge;
    private final LogStatus status;
    private final FoldedLog foldedLog;
    private final ReaderLag readerLag;
    private final Lanes lanes;
    private final String version;

    StatusController(
            DurableStateProperties properties,
            DurabilityJudge judge,
            LogStatus status,
            FoldedLog foldedLog,
            ReaderLag readerLag,
            Lanes lanes,
            ObjectProvider<BuildProperties> build) {
        this.properties = properties;
        this.judge = judge;
        this.status = status;
        this.foldedLog = foldedLog;
        this.readerLag = readerLag;
        this.lanes = lanes;
        BuildProperties known = build.getIfAvailable();
        String knownVersion = known == null ? null : known.getVersion();
        this.version = knownVersion == null ? "unknown" : knownVersion;
    }

    @Schema(name = "Durability", description = "What an acknowledgement means on the cluster in use")
    record DurabilityView(
            @Schema(allowableValues = {"replicated", "single-copy", "at-risk", "unavailable"})
            String verdict,

            @Schema(description = "Why, a sentence each") List<String> reasons,
            @Schema(example = "all") String acks,
            boolean idempotence,
            @Nullable @Schema(nullable = true) Integer replicationFactor,
            @Nullable @Schema(nullable = true) Integer minInsyncReplicas,
            @Nullable @Schema(nullable = true) Boolean uncleanLeaderElection,
            @Nullable @Schema(nullable = true) String cleanupPolicy,
            @Nullable @Schema(nullable = true) Boolean fsyncBeforeAck,

            @Nullable @Schema(description = "When Kafka was last asked with success", nullable = true)
            Instant checkedAt,

            List<PartitionView> partitions) {}

    @Schema(name = "Partition")
    record PartitionView(
            int partition,

            @Nullable @Schema(description = "Broker that leads it, null when none does", nullable = true)
            Integer leader,

            List<Integer> replicas,
            List<Integer> isr,
            @Nullable @Schema(nullable = true) Long earliestOffset,
            @Nullable @Schema(nullable = true) Long endOffset,

            @Nullable @Schema(description = "Offset that this instance reads next", nullable = true)
            Long readerPosition) {}

    @GetMapping("/api/v1/durability")
    @Operation(operationId = "getDurability", summary = "What an acknowledgement means on the cluster in use")
    ResponseEntity<DurabilityView> durability(HttpServletRequest request) {
        Query.of(request);
        Durability now = judge.now();
        return JsonAnswers.ok(new DurabilityView(
                now.verdict().word(),
                now.reasons(),
                "all",
                true,
                now.replicationFactor(),
                now.minInsyncReplicas(),
                now.uncleanLeaderElection(),
                now.cleanupPolicy(),
                now.fsyncBeforeAck(),
                now.checkedAt(),
                now.partitions().stream().map(this::view).toList()));
    }

    private PartitionView view(ClusterSnapshot.PartitionSnapshot partition) {
        return new PartitionView(
                partition.partition(),
                partition.leader(),
                partition.replicas(),
                partition.isr(),
                partition.earliestOffset(),
                partition.endOffset(),
                orNull(readerLag.position(partition.partition())));
    }

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }

    @Schema(name = "Status", description = "How far this instance is")
    record StatusView(
            String instance,
            String version,

            @Schema(allowableValues = {"starting", "recovering", "ready", "stopping"})
            String phase,

            @Nullable @Schema(description = "What keeps it from being ready, null when nothing does", nullable = true)
            String obstacle,

            @Nullable @Schema(description = "The replay under way, or the last one", nullable = true)
            Recovery recovery,

            @Schema(description = "States that are there") long states,
            long cachedBodies,
            long cachedBytes,

            @Schema(description = "Bodies found in memory, of those asked for since the start, 0 to 1")
            double cacheHitRatio,

            @Schema(description = "Producers that writes are spread over")
            int lanes,

            @Nullable @Schema(description = "Offsets left to read; null when Kafka does not say", nullable = true)
            Long readerLag,

            @Schema(description = "Records of the topic that were not understood")
            long skippedRecords,

            @Schema(description = "The newest of them") List<LogStatus.Skipped> lastSkipped) {}

    @Schema(name = "Recovery")
    record Recovery(
            long records,
            int percent,

            @Nullable @Schema(description = "Estimate", nullable = true)
            Long secondsLeft) {}

    @GetMapping("/api/v1/status")
    @Operation(operationId = "getStatus", summary = "How far this instance is")
    ResponseEntity<StatusView> status(HttpServletRequest request) {
        Query.of(request);
        return JsonAnswers.ok(new StatusView(
                properties.instanceId(),
                version,
                status.phase().word(),
                status.obstacle(),
                recovery(),
                foldedLog.states(),
                foldedLog.cachedBodies(),
                foldedLog.cachedBytes(),
                foldedLog.cacheStats().hitRate(),
                lanes.count(),
                orNull(readerLag.total()),
                status.skipped(),
                status.lastSkipped()));
    }

    private @Nullable Recovery recovery() {
        LogStatus.Progress progress = status.progress();
        if (progress == null) {
            return null;
        }
        Duration left = progress.left();
        return new Recovery(progress.records(), progress.percent(), left == null ? null : left.toSeconds());
    }
}
