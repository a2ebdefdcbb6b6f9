package io.durablestate.log;

import io.durablestate.DurableStateProperties;
import io.durablestate.state.FoldedLog;
import io.durablestate.state.Gate;
import io.durablestate.state.NotServingException;
import io.durablestate.state.NotServingException.Reason;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Lets requests in while the log is replayed, Kafka answers, and not too much is under way. */
@Component
final class LogGate implements Gate {

    /**
     * How long Kafka may be silent before writes are held back. Longer than a probe lives: one broker that is frozen can keep a
     * probe from its answer, and must not hold up writes to the others.
     */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** Records that the reader may be behind while conditional writes are taken: some seconds of its work. */
    private static final long MAX_BEHIND = 100_000;

    private final LogStatus status;
    private final ClusterProbe probe;
    private final Lanes lanes;
    private final FoldedLog foldedLog;
    private final Duration maxBlock;
    private final Semaphore places;
    private final int limit;

    LogGate(
            DurableStateProperties properties,
            LogStatus status,
            ClusterProbe probe,
            Lanes lanes,
            FoldedLog foldedLog,
            KafkaClients clients) {
        this.status = status;
        this.probe = probe;
        this.lanes = lanes;
        this.foldedLog = foldedLog;
        this.maxBlock = clients.maxBlock();
        this.limit = properties.limits().writes();
        this.places = new Semaphore(limit);
    }

    @Override
    public void requireReplayed() {
        status.requireReplayed();
    }

    @Override
    public Permit admitWrite(int partition) throws InterruptedException {
        status.requireReplayed();
        if (!places.tryAcquire()) {
            throw new NotServingException(
                    Reason.OVERLOADED, "As many writes are under way as durable-state.limits.writes allows: " + limit);
        }
        boolean admitted = false;
        try {
            awaitReachable(partition);
            admitted = true;
            return places::release;
        } finally {
            if (!admitted) {
                places.release();
            }
        }
    }

    @Override
    public void requireFollowing(int partition) {
        ClusterSnapshot now = probe.latest().current();
        Long end = now == null || partition >= now.partitions().size()
                ? null
                : now.partitions().get(partition).endOffset();
        long behind = end == null ? 0 : end - foldedLog.findPosition(partition).orElse(end);
        if (behind > MAX_BEHIND) {
            throw new NotServingException(
                    Reason.RECOVERING,
                    "This instance is %d records behind the log, too far to judge a condition".formatted(behind));
        }
    }

    /**
     * A record that is handed to the producer while nobody can take it ends as an unknown after {@code delivery.timeout.ms};
     * one that is held back here ends as certainly not sent.
     */
    private void awaitReachable(int partition) throws InterruptedException {
        ClusterSnapshot recent = probe.latest().notOlderThan(SILENCE);
        if (recent != null
                && recent.canAcknowledge(partition)
                && lanes.of(partition).isConnected()) {
            return;
        }
        if (!probe.awaitFresh(snapshot -> snapshot.canAcknowledge(partition), maxBlock)) {
            throw unreachable(partition);
        }
    }

    private NotServingException unreachable(int partition) {
        ClusterProbe.Observation observation = probe.latest();
        ClusterSnapshot now = observation.current();
        if (now != null && now.hasLeader(partition)) {
            String why = "partition %d has fewer replicas in sync than min.insync.replicas=%d"
                    .formatted(partition, now.minInsyncReplicas());
            return refusal(Reason.NOT_ENOUGH_REPLICAS, why, null);
        }
        String why = now == null ? observation.silence() : "partition %d has no leader".formatted(partition);
        return refusal(Reason.KAFKA_UNAVAILABLE, why, observation.failure());
    }

    private NotServingException refusal(Reason reason, String why, @Nullable Throwable cause) {
        return new NotServingException(
                reason, "Nothing was sent after waiting %d ms: %s".formatted(maxBlock.toMillis(), why), cause);
    }
}
