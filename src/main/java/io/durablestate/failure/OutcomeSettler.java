package io.durablestate.failure;

import io.durablestate.DurableStateProperties;
import io.durablestate.log.ClusterProbe;
import io.durablestate.log.ClusterSnapshot;
import io.durablestate.log.ClusterSnapshot.PartitionSnapshot;
import io.durablestate.log.KafkaStateLog;
import io.durablestate.state.FoldedLog;
import io.durablestate.state.NotServingException;
import io.durablestate.state.Operation;
import io.durablestate.state.Revision;
import io.durablestate.state.WriteIdentity;
import io.durablestate.state.WriteListener;
import io.durablestate.state.WriteTimings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Finds out which writes of unknown outcome were not persisted.
 *
 * <p>A request that a frozen broker has received but not handled can still be appended when the broker thaws. So nothing is
 * settled before the partition's leader has answered, without a gap, for {@code durable-state.failures.settle-after} after
 * the failure. And a record can lie in the leader's log, hidden from readers, while a replica that counts as in sync does not
 * fetch it. So where more than one replica is in sync, a write to the partition that was begun after that time must have been
 * acknowledged: what lies before it is visible. A write that the log does not have up to there was not persisted.
 *
 * <p>One that could not be settled within half of the compaction lag stays unknown, since what hides it could have been
 * compacted.
 */
@Component
final class OutcomeSettler implements WriteListener {

    private static final Logger log = LoggerFactory.getLogger(OutcomeSettler.class);

    private static final Duration SETTLE_WITHIN = Duration.ofMinutes(30);

    private final FailureJournal journal;
    private final Log stateLog;
    private final Clock clock;
    private final Duration settleAfter;
    private final Map<Integer, Instant> answeringSince = new HashMap<>();
    private final ConcurrentMap<Integer, Acknowledged> lastAcknowledged = new ConcurrentHashMap<>();

    private record Acknowledged(Instant begun, long offset) {}

    /** What the settler needs to know of the log. */
    interface Log {

        /** What Kafka says now, null when it does not answer. */
        @Nullable
        ClusterSnapshot cluster();

        /** Offset that the reader takes next. */
        long position(int partition);

        /**
         * Offset of the next record, asked from the leader.
         *
         * @throws NotServingException when it does not answer in time
         */
        long endOffset(int partition) throws InterruptedException;
    }

    @Autowired
    OutcomeSettler(
            DurableStateProperties properties,
            FailureJournal journal,
            ClusterProbe probe,
            KafkaStateLog stateLog,
            FoldedLog foldedLog,
            Clock clock) {
        this(properties.failures().settleAfter(), journal, logOf(probe, stateLog, foldedLog), clock);
    }

    OutcomeSettler(Duration settleAfter, FailureJournal journal, Log stateLog, Clock clock) {
        this.settleAfter = settleAfter;
        this.journal = journal;
        this.stateLog = stateLog;
        this.clock = clock;
    }

    private static Log logOf(ClusterProbe probe, KafkaStateLog stateLog, FoldedLog foldedLog) {
        return new Log() {
            @Override
            public @Nullable ClusterSnapshot cluster() {
                return probe.latest().current();
            }

            @Override
            public long position(int partition) {
                return foldedLog.position(partition);
            }

            @Override
            public long endOffset(int partition) throws InterruptedException {
                return stateLog.endOffset(partition);
            }
        };
    }

    @Override
    public void acknowledged(Operation operation, WriteIdentity write, Revision at, WriteTimings timings) {
        Instant begun = clock.instant().minus(timings.total());
        lastAcknowledged.merge(
                at.partition(),
                new Acknowledged(begun, at.offset()),
                (a, b) -> a.begun().isAfter(b.begun()) ? a : b);
    }

    @Scheduled(fixedDelayString = "PT0.5S")
    void settle() {
        List<Failure> unknown = journal.unknown();
        if (unknown.isEmpty()) {
            answeringSince.clear();
            return;
        }
        ClusterSnapshot snapshot = stateLog.cluster();
        observeLeaders(snapshot);
        if (snapshot == null) {
            return;
        }
        for (Failure failure : unknown) {
            if (isSettled(failure, snapshot)) {
                journal.settleAsNotPersisted(failure.id());
            }
        }
    }

    private boolean isSettled(Failure failure, ClusterSnapshot snapshot) {
        int partition = failure.write().partition();
        Instant due = due(failure);
        if (due == null
                || clock.instant().isBefore(due)
                || partition >= snapshot.partitions().size()) {
            return false;
        }
        if (snapshot.partitions().get(partition).replicas().size() == 1) {
            return isReadToItsEnd(partition);
        }
        Acknowledged later = lastAcknowledged.get(partition);
        return later != null && !later.begun().isBefore(due) && stateLog.position(partition) > later.offset();
    }

    private void observeLeaders(@Nullable ClusterSnapshot snapshot) {
        if (snapshot == null) {
            answeringSince.clear();
            return;
        }
        for (PartitionSnapshot partition : snapshot.partitions()) {
            if (partition.endOffset() == null) {
                answeringSince.remove(partition.partition());
            } else {
                answeringSince.putIfAbsent(partition.partition(), clock.instant());
            }
        }
    }

    /** When the failure can be settled, as far as is known now; null when it cannot. */
    private @Nullable Instant due(Failure failure) {
        Instant answering = answeringSince.get(failure.write().partition());
        if (answering == null || clock.instant().isAfter(failure.time().plus(SETTLE_WITHIN))) {
            return null;
        }
        return (answering.isAfter(failure.time()) ? answering : failure.time()).plus(settleAfter);
    }

    private boolean isReadToItsEnd(int partition) {
        try {
            return stateLog.position(partition) >= stateLog.endOffset(partition);
        } catch (NotServingException e) {
            log.debug("Partition {} cannot be settled now", partition, e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
