package io.durablestate.failure;

import io.durablestate.DurableStateProperties;
import io.durablestate.log.ClusterProbe;
import io.durablestate.log.ClusterSnapshot;
import io.durablestate.log.ClusterSnapshot.PartitionSnapshot;
import io.durablestate.log.KafkaStateLog;
import io.durablestate.state.FoldedLog;
import io.durablestate.state.NotServingException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Finds out which writes of unknown outcome were not persisted.
 *
 * <p>A request that a frozen broker has received but not handled can still be appended when the broker thaws. So the end of
 * the log counts only when the partition's leader has answered, without a gap, for {@code durable-state.failures.settle-after}
 * after the failure; a write that the log does not have up to there was not persisted. One that could not be settled within
 * half of the compaction lag stays unknown, since what hides it could have been compacted.
 */
@Component
final class OutcomeSettler {

    private static final Logger log = LoggerFactory.getLogger(OutcomeSettler.class);

    private static final Duration SETTLE_WITHIN = Duration.ofMinutes(30);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);

    private final FailureJournal journal;
    private final ClusterProbe probe;
    private final KafkaStateLog stateLog;
    private final FoldedLog foldedLog;
    private final Clock clock;
    private final Duration settleAfter;
    private final Map<Integer, Instant> answeringSince = new HashMap<>();

    OutcomeSettler(
            DurableStateProperties properties,
            FailureJournal journal,
            ClusterProbe probe,
            KafkaStateLog stateLog,
            FoldedLog foldedLog,
            Clock clock) {
        this.journal = journal;
        this.probe = probe;
        this.stateLog = stateLog;
        this.foldedLog = foldedLog;
        this.clock = clock;
        this.settleAfter = properties.failures().settleAfter();
    }

    @Scheduled(fixedDelayString = "PT0.5S")
    void settle() throws InterruptedException {
        List<Failure> unknown = journal.unknown();
        if (unknown.isEmpty()) {
            answeringSince.clear();
            return;
        }
        observeLeaders(probe.latest().current());
        Map<Integer, Boolean> readToEnd = new HashMap<>();
        for (Failure failure : unknown) {
            int partition = failure.write().partition();
            if (isDue(failure) && readToEnd.computeIfAbsent(partition, this::isReadToItsEnd)) {
                journal.settleAsNotPersisted(failure.id());
            }
        }
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

    private boolean isDue(Failure failure) {
        Instant answering = answeringSince.get(failure.write().partition());
        Instant now = clock.instant();
        if (answering == null || now.isAfter(failure.time().plus(SETTLE_WITHIN))) {
            return false;
        }
        Instant from = answering.isAfter(failure.time()) ? answering : failure.time();
        return !now.isBefore(from.plus(settleAfter));
    }

    private boolean isReadToItsEnd(int partition) {
        try {
            return foldedLog.awaitPosition(partition, stateLog.endOffset(partition), READ_TIMEOUT);
        } catch (NotServingException e) {
            log.debug("Partition {} cannot be settled now", partition, e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
