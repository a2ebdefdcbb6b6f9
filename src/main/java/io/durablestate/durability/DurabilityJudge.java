package io.durablestate.durability;

import io.durablestate.log.ClusterProbe;
import io.durablestate.log.ClusterSnapshot;
import io.durablestate.log.ClusterSnapshot.PartitionSnapshot;
import io.durablestate.log.TopicSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Says what an acknowledgement means now, from what Kafka said last. Never blocks. */
@Component
public final class DurabilityJudge {

    private final ClusterProbe probe;

    DurabilityJudge(ClusterProbe probe) {
        this.probe = probe;
    }

    /** The verdict as of the newest probe. */
    public Durability now() {
        ClusterProbe.Observation observation = probe.latest();
        ClusterSnapshot current = observation.current();
        return current == null ? silent(observation.snapshot(), observation.silence()) : judge(current);
    }

    private static Durability silent(@Nullable ClusterSnapshot last, String why) {
        return new Durability(
                Verdict.UNAVAILABLE,
                List.of(why),
                null,
                null,
                null,
                null,
                null,
                last == null ? null : last.takenAt(),
                false,
                List.of());
    }

    static Durability judge(ClusterSnapshot snapshot) {
        List<String> failing = failing(snapshot);
        List<String> risks = risks(snapshot);
        int copies = copies(snapshot);
        Verdict verdict;
        List<String> reasons = new ArrayList<>();
        if (!failing.isEmpty()) {
            verdict = Verdict.UNAVAILABLE;
            reasons.addAll(failing);
            reasons.addAll(risks);
        } else if (copies == 1) {
            verdict = Verdict.SINGLE_COPY;
            reasons.add(singleCopyReason(snapshot));
            reasons.addAll(risks);
        } else if (!risks.isEmpty()) {
            verdict = Verdict.AT_RISK;
            reasons.addAll(risks);
        } else {
            verdict = Verdict.REPLICATED;
            reasons.add("Each partition has %d copies in sync; at least %d have a record when it is acknowledged"
                    .formatted(copies, snapshot.minInsyncReplicas()));
        }
        return durability(verdict, reasons, snapshot);
    }

    private static Durability durability(Verdict verdict, List<String> reasons, ClusterSnapshot snapshot) {
        Map<String, String> settings = snapshot.settings();
        boolean known = !settings.isEmpty();
        return new Durability(
                verdict,
                reasons,
                snapshot.partitions().isEmpty() ? null : copies(snapshot),
                known ? snapshot.minInsyncReplicas() : null,
                known ? isUnclean(snapshot) : null,
                settings.get("cleanup.policy"),
                known ? isForced(snapshot) : null,
                snapshot.takenAt(),
                snapshot.partitions().stream().anyMatch(snapshot::canAcknowledge),
                snapshot.partitions());
    }

    private static List<String> failing(ClusterSnapshot snapshot) {
        List<String> reasons = new ArrayList<>();
        if (snapshot.partitions().isEmpty()) {
            reasons.add("The topic does not exist");
        }
        addCount(reasons, snapshot, p -> p.leader() == null, "no leader");
        addCount(reasons, snapshot, p -> p.leader() != null && p.endOffset() == null, "a leader that does not answer");
        addCount(
                reasons,
                snapshot,
                p -> p.leader() != null && !snapshot.canAcknowledge(p),
                "fewer replicas in sync than min.insync.replicas=" + snapshot.minInsyncReplicas());
        return reasons;
    }

    private static List<String> risks(ClusterSnapshot snapshot) {
        List<String> reasons = new ArrayList<>();
        addCount(
                reasons,
                snapshot,
                p -> p.isr().size() < p.replicas().size(),
                "fewer replicas in sync than the %d it should have".formatted(copies(snapshot)));
        if (snapshot.settings().isEmpty() && !snapshot.partitions().isEmpty()) {
            reasons.add("Kafka does not say how the topic is set");
        }
        if (copies(snapshot) > 1 && "1".equals(snapshot.settings().get("min.insync.replicas"))) {
            reasons.add("min.insync.replicas=1, so a record can be acknowledged when only one copy is left to have it");
        }
        if (isUnclean(snapshot) && copies(snapshot) > 1) {
            reasons.add(
                    "unclean.leader.election.enable=true, so a broker that lacks acknowledged records may become leader");
        }
        addIfShort(reasons, snapshot, "min.compaction.lag.ms", "compaction may come before a restore");
        addIfShort(reasons, snapshot, "delete.retention.ms", "a reader that is behind may miss a deletion");
        return reasons;
    }

    private static void addIfShort(List<String> reasons, ClusterSnapshot snapshot, String setting, String consequence) {
        String millis = snapshot.settings().get(setting);
        if (millis != null && Long.parseLong(millis) < TopicSettings.MIN_COMPACTION_LAG_MS) {
            reasons.add("%s=%s, less than %d, so %s"
                    .formatted(setting, millis, TopicSettings.MIN_COMPACTION_LAG_MS, consequence));
        }
    }

    private static void addCount(
            List<String> reasons, ClusterSnapshot snapshot, Predicate<PartitionSnapshot> isAffected, String what) {
        long affected = snapshot.partitions().stream().filter(isAffected).count();
        if (affected > 0) {
            reasons.add("%d of %d partitions %s %s"
                    .formatted(affected, snapshot.partitions().size(), affected == 1 ? "has" : "have", what));
        }
    }

    private static String singleCopyReason(ClusterSnapshot snapshot) {
        if (snapshot.settings().isEmpty()) {
            return "Each partition has one copy";
        }
        return isForced(snapshot)
                ? "Each partition has one copy, forced to disk before a record is acknowledged"
                : "Each partition has one copy, and a record is acknowledged before it is forced to disk";
    }

    private static int copies(ClusterSnapshot snapshot) {
        return snapshot.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
    }

    private static boolean isUnclean(ClusterSnapshot snapshot) {
        return Boolean.parseBoolean(snapshot.settings().get("unclean.leader.election.enable"));
    }

    private static boolean isForced(ClusterSnapshot snapshot) {
        return "1".equals(snapshot.settings().get("flush.messages"));
    }
}
