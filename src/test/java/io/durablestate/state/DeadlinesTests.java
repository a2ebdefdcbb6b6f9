package io.durablestate.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DeadlinesTests {

    private static final StateKey CHARGED = StateKey.of("order-42", 1, "charge-card");
    private static final StateKey PACKED = StateKey.of("order-42", 2, "pack");
    private static final Duration WITHIN = Duration.ofSeconds(90);

    private final ServiceUnderTest tested = new ServiceUnderTest();

    @BeforeEach
    void theReaderFollows() {
        tested.log.afterAcknowledgement(tested.log::foldAll);
    }

    private void put(StateKey key, Duration expectWithin) throws InterruptedException {
        byte[] body = "state".getBytes(StandardCharsets.UTF_8);
        tested.service.put(key, new StateDocument("text/plain", body, false, expectWithin));
    }

    /** Whether the key is overdue right after a time. */
    private boolean isOverdueAfter(Duration time) {
        Instant now = Instant.EPOCH.plus(time).plusMillis(1);
        boolean listed = !tested.foldedLog.overdue(now).isEmpty();
        assertThat(tested.claims.isOverdue("order-42", now)).isEqualTo(listed);
        return listed;
    }

    @Test
    void aKeyIsOverdueWhenNothingIsWrittenInTime() throws InterruptedException {
        put(CHARGED, WITHIN);
        assertThat(isOverdueAfter(WITHIN.minusSeconds(1))).isFalse();
        assertThat(isOverdueAfter(WITHIN)).isTrue();
    }

    @Test
    void anyLaterWriteOfTheKeyClearsIt() throws InterruptedException {
        put(CHARGED, WITHIN);
        put(PACKED, null);
        assertThat(isOverdueAfter(WITHIN)).isFalse();
    }

    @Test
    void aDeletionAndAClaimClearItAsWell() throws InterruptedException {
        put(CHARGED, WITHIN);
        tested.service.delete(CHARGED);
        assertThat(isOverdueAfter(WITHIN)).isFalse();
        put(CHARGED, WITHIN);
        tested.claims.claim("order-42", "pod-1", null);
        assertThat(isOverdueAfter(WITHIN)).isFalse();
    }

    @Test
    void aClaimCanExpectAWriteAndItsEndClearsIt() throws InterruptedException {
        ClaimRecord claim = tested.claims.claim("order-42", "pod-1", WITHIN).record();
        assertThat(isOverdueAfter(WITHIN)).isTrue();
        tested.claims.close(claim);
        assertThat(isOverdueAfter(WITHIN)).isFalse();
    }

    @Test
    void aLaterDeadlineReplacesAnEarlierOne() throws InterruptedException {
        put(CHARGED, WITHIN);
        put(CHARGED, WITHIN.multipliedBy(2));
        assertThat(isOverdueAfter(WITHIN)).isFalse();
        assertThat(isOverdueAfter(WITHIN.multipliedBy(2))).isTrue();
    }

    @Test
    void itSurvivesAReplay() throws InterruptedException {
        put(CHARGED, WITHIN);
        tested.foldedLog.startReplay(FakeStateLog.PARTITIONS);
        assertThat(tested.foldedLog.overdue(Instant.MAX)).isEmpty();
        tested.log.foldAll();
        tested.foldedLog.endReplay();
        assertThat(isOverdueAfter(WITHIN)).isTrue();
    }

    @Test
    void aRestoreBringsItBackOnlyWhereItSpeaksOfTheLastWrite() throws InterruptedException {
        put(CHARGED, WITHIN);
        StateVersion charged = tested.foldedLog.index().find(CHARGED);
        StateVersion packed = new StateVersion(charged.partition(), 15, 15, 0, 1, false, null, "text/plain", "w");
        fold(new StateRecord(CHARGED, at(charged, 10), "w", null, null, 9L));
        assertThat(isOverdueAfter(WITHIN)).isTrue();
        fold(new StateRecord(PACKED, packed, "w", null, null, null));
        fold(new StateRecord(CHARGED, at(charged, 20), "w", null, null, 19L));
        assertThat(isOverdueAfter(WITHIN)).isFalse();
    }

    private void fold(StateRecord record) {
        tested.foldedLog.fold(tested.log.partitionOf("order-42"), record, new byte[] {1});
    }

    private static StateVersion at(StateVersion version, long offset) {
        return new StateVersion(
                version.partition(),
                version.writtenAt(),
                offset,
                version.timestamp(),
                version.size(),
                version.completed(),
                version.attempt(),
                version.contentType(),
                version.writeId(),
                version.expectWithin());
    }
}
