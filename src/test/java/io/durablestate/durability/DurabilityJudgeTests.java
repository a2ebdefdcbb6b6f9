package io.durablestate.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.log.ClusterSnapshot;
import io.durablestate.log.ClusterSnapshot.PartitionSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class DurabilityJudgeTests {

    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private final List<PartitionSnapshot> partitions = new ArrayList<>();
    private final Map<String, String> settings = new HashMap<>(Map.of(
            "min.insync.replicas", "2",
            "cleanup.policy", "compact",
            "unclean.leader.election.enable", "false",
            "flush.messages", "9223372036854775807",
            "min.compaction.lag.ms", "3600000"));

    private void partition(Integer leader, List<Integer> replicas, List<Integer> isr) {
        partitions.add(new PartitionSnapshot(partitions.size(), leader, replicas, isr, 0L, 10L));
    }

    private void threeCopiesInSync() {
        partition(1, List.of(1, 2, 3), List.of(1, 2, 3));
    }

    private void oneCopy() {
        partition(1, List.of(1), List.of(1));
    }

    private Durability judge() {
        return DurabilityJudge.judge(new ClusterSnapshot(NOON, Uuid.ONE_UUID, partitions, settings));
    }

    @Test
    void threeCopiesInSyncAreReplicated() {
        threeCopiesInSync();
        threeCopiesInSync();

        Durability durability = judge();
        assertThat(durability.verdict()).isEqualTo(Verdict.REPLICATED);
        assertThat(durability.reasons())
                .containsExactly(
                        "Each partition has 3 copies in sync; at least 2 have a record when it is acknowledged");
        assertThat(durability.replicationFactor()).isEqualTo(3);
        assertThat(durability.minInsyncReplicas()).isEqualTo(2);
        assertThat(durability.uncleanLeaderElection()).isFalse();
        assertThat(durability.cleanupPolicy()).isEqualTo("compact");
        assertThat(durability.fsyncBeforeAck()).isFalse();
        assertThat(durability.checkedAt()).isEqualTo(NOON);
        assertThat(durability.writable()).isTrue();
        assertThat(durability.partitions()).isEqualTo(partitions);
    }

    @Test
    void oneCopyThatIsForcedToDiskIsASingleCopyAndSaysSo() {
        oneCopy();
        settings.put("min.insync.replicas", "1");
        settings.put("flush.messages", "1");

        Durability durability = judge();
        assertThat(durability.verdict()).isEqualTo(Verdict.SINGLE_COPY);
        assertThat(durability.reasons())
                .containsExactly("Each partition has one copy, forced to disk before a record is acknowledged");
        assertThat(durability.fsyncBeforeAck()).isTrue();
        assertThat(durability.writable()).isTrue();
    }

    @Test
    void oneCopyThatIsNotForcedToDiskSaysThatToo() {
        oneCopy();
        settings.put("min.insync.replicas", "1");
        assertThat(judge().verdict()).isEqualTo(Verdict.SINGLE_COPY);
        assertThat(judge().reasons())
                .containsExactly(
                        "Each partition has one copy, and a record is acknowledged before it is forced to disk");
        assertThat(judge().fsyncBeforeAck()).isFalse();
    }

    @Test
    void aPartitionWithOneCopyBesideOthersMakesItASingleCopy() {
        threeCopiesInSync();
        oneCopy();
        settings.put("min.insync.replicas", "1");
        assertThat(judge().verdict()).isEqualTo(Verdict.SINGLE_COPY);
        assertThat(judge().replicationFactor()).isEqualTo(1);
    }

    @Test
    void aCopyThatIsNotInSyncIsARisk() {
        threeCopiesInSync();
        partition(1, List.of(1, 2, 3), List.of(1, 3));

        assertThat(judge().verdict()).isEqualTo(Verdict.AT_RISK);
        assertThat(judge().reasons())
                .containsExactly("1 of 2 partitions has fewer replicas in sync than the 3 it should have");
        assertThat(judge().writable()).isTrue();
    }

    @Test
    void aMinimumOfOneCopyIsARisk() {
        threeCopiesInSync();
        settings.put("min.insync.replicas", "1");
        assertThat(judge().verdict()).isEqualTo(Verdict.AT_RISK);
        assertThat(judge().reasons()).hasSize(1).first().asString().startsWith("min.insync.replicas=1, so");
    }

    @Test
    void aLeaderThatMayLackRecordsIsARisk() {
        threeCopiesInSync();
        settings.put("unclean.leader.election.enable", "true");
        assertThat(judge().verdict()).isEqualTo(Verdict.AT_RISK);
        assertThat(judge().reasons())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("unclean.leader.election.enable=true, so");
        assertThat(judge().uncleanLeaderElection()).isTrue();
    }

    @Test
    void compactionThatMayComeTooEarlyIsARisk() {
        threeCopiesInSync();
        settings.put("min.compaction.lag.ms", "3599999");
        assertThat(judge().verdict()).isEqualTo(Verdict.AT_RISK);
        assertThat(judge().reasons())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("min.compaction.lag.ms=3599999, less than 3600000");
    }

    @Test
    void everyRiskIsNamed() {
        partition(1, List.of(1, 2, 3), List.of(1, 2));
        settings.putAll(Map.of(
                "min.insync.replicas", "1", "unclean.leader.election.enable", "true", "min.compaction.lag.ms", "0"));
        assertThat(judge().verdict()).isEqualTo(Verdict.AT_RISK);
        assertThat(judge().reasons()).hasSize(4);
    }

    @Test
    void aSingleCopyNamesItsRisksBehindItself() {
        oneCopy();
        settings.putAll(Map.of("min.insync.replicas", "1", "min.compaction.lag.ms", "0"));
        assertThat(judge().verdict()).isEqualTo(Verdict.SINGLE_COPY);
        assertThat(judge().reasons()).hasSize(2).last().asString().startsWith("min.compaction.lag.ms=0");
    }

    @Test
    void aSingleCopyIsNotAtRiskForWhatOnlyConcernsSeveral() {
        oneCopy();
        settings.putAll(Map.of("min.insync.replicas", "1", "unclean.leader.election.enable", "true"));
        assertThat(judge().reasons()).hasSize(1);
    }

    @Test
    void aPartitionWithoutLeaderMakesSomeStatesUnavailable() {
        threeCopiesInSync();
        partition(null, List.of(1, 2, 3), List.of(1));

        Durability durability = judge();
        assertThat(durability.verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(durability.reasons())
                .containsExactly(
                        "1 of 2 partitions has no leader",
                        "1 of 2 partitions has fewer replicas in sync than the 3 it should have");
        assertThat(durability.writable())
                .as("the other partition still takes writes")
                .isTrue();
    }

    @Test
    void tooFewCopiesInSyncMakeStatesUnavailable() {
        partition(1, List.of(1, 2, 3), List.of(1));
        partition(2, List.of(1, 2, 3), List.of(2));

        assertThat(judge().verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(judge().reasons())
                .startsWith("2 of 2 partitions have fewer replicas in sync than min.insync.replicas=2");
        assertThat(judge().writable()).isFalse();
    }

    @Test
    void aTopicThatIsNotThereMakesEverythingUnavailable() {
        Durability durability = DurabilityJudge.judge(new ClusterSnapshot(NOON, null, List.of(), Map.of()));
        assertThat(durability.verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(durability.reasons()).containsExactly("The topic does not exist");
        assertThat(durability.writable()).isFalse();
        assertThat(durability.replicationFactor()).isNull();
        assertThat(durability.checkedAt()).isEqualTo(NOON);
    }

    @Test
    void settingsThatCouldNotBeReadAreNotSaidToBeKnown() {
        threeCopiesInSync();
        settings.clear();

        Durability durability = judge();
        assertThat(durability.verdict()).isNotEqualTo(Verdict.REPLICATED);
        assertThat(durability.minInsyncReplicas()).isNull();
        assertThat(durability.uncleanLeaderElection()).isNull();
        assertThat(durability.cleanupPolicy()).isNull();
        assertThat(durability.fsyncBeforeAck()).isNull();
        assertThat(durability.replicationFactor()).isEqualTo(3);
    }

    @Test
    void verdictsAreWordsWithHyphensAndSentences() {
        assertThat(Verdict.values())
                .extracting(Verdict::word)
                .containsExactly("replicated", "single-copy", "at-risk", "unavailable");
        assertThat(Verdict.values())
                .allSatisfy(
                        verdict -> assertThat(verdict.sentence()).isNotBlank().doesNotEndWith("."));
    }

    @Test
    void aLeaderThatDoesNotAnswerMakesItsPartitionUnavailable() {
        threeCopiesInSync();
        partitions.add(new PartitionSnapshot(1, 2, List.of(1, 2, 3), List.of(1, 2, 3), null, null));
        assertThat(judge().verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(judge().reasons()).contains("1 of 2 partitions has a leader that does not answer");
        assertThat(judge().writable()).isTrue();
    }

    @Test
    void doesNotGiveReasonsThatItDoesNotKnow() {
        threeCopiesInSync();
        settings.clear();
        assertThat(judge().verdict()).isEqualTo(Verdict.AT_RISK);
        assertThat(judge().reasons()).containsExactly("Kafka does not say how the topic is set");
    }

    @Test
    void doesNotSayOfOneCopyWhatItDoesNotKnow() {
        oneCopy();
        settings.clear();
        assertThat(judge().verdict()).isEqualTo(Verdict.SINGLE_COPY);
        assertThat(judge().reasons())
                .containsExactly("Each partition has one copy", "Kafka does not say how the topic is set");
    }

    @Test
    void deletionsThatAreDroppedEarlyAreARisk() {
        threeCopiesInSync();
        settings.put("delete.retention.ms", "1000");
        assertThat(judge().verdict()).isEqualTo(Verdict.AT_RISK);
        assertThat(judge().reasons())
                .containsExactly(
                        "delete.retention.ms=1000, less than 3600000, so a reader that is behind may miss a deletion");
    }
}
