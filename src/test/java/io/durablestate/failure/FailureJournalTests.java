package io.durablestate.failure;

import static io.durablestate.failure.FailedWrites.KEY;
import static io.durablestate.failure.FailedWrites.TIMINGS;
import static io.durablestate.failure.FailedWrites.known;
import static io.durablestate.failure.FailedWrites.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.state.ClaimRecord;
import io.durablestate.state.Deletion;
import io.durablestate.state.FailedWrite;
import io.durablestate.state.Judgement;
import io.durablestate.state.MovableClock;
import io.durablestate.state.Operation;
import io.durablestate.state.Reach;
import io.durablestate.state.Refusal;
import io.durablestate.state.Revision;
import io.durablestate.state.Settings;
import io.durablestate.state.StateKey;
import io.durablestate.state.StateRecord;
import io.durablestate.state.WriteFailures;
import io.durablestate.state.WriteIdentity;
import io.durablestate.state.WritePhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class FailureJournalTests {

    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private final MovableClock clock = new MovableClock(NOON);
    private final FailureJournal journal = journal(1000);

    private FailureJournal journal(int capacity) {
        return new FailureJournal(Settings.with("failures.capacity", Integer.toString(capacity)), clock);
    }

    private static WriteIdentity id(String writeId) {
        return WriteIdentity.of(KEY, writeId);
    }

    private void fails(String writeId) {
        journal.begun(id(writeId));
        journal.failed(unknown(writeId));
    }

    private void logShows(StateKey key, String writeId, long offset) {
        logShows(key, writeId, offset, null);
    }

    private void logShows(StateKey key, String writeId, long offset, Long asOf) {
        StateRecord record = new StateRecord(key, new Deletion(offset, 0), writeId, null, null, asOf);
        journal.folded(3, record, new Judgement(true, record.content()));
    }

    private Failure only() {
        List<Failure> failures = journal.newestFirst();
        assertThat(failures).hasSize(1);
        return failures.get(0);
    }

    @Test
    void remembersWhatWasTriedAndWhatItMeans() {
        fails("w-1");

        Failure failure = only();
        assertThat(failure.number()).isEqualTo(1);
        assertThat(failure.time()).isEqualTo(NOON);
        assertThat(failure.instance()).isEqualTo("test-1");
        assertThat(failure.write().writeId()).isEqualTo("w-1");
        assertThat(failure.diagnosis().problem()).isEqualTo(Problem.ACK_TIMEOUT);
        assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(failure.resolvedAt()).isNull();
        assertThat(failure.revision()).isNull();
        assertThat(journal.find(failure.id())).contains(failure);
        assertThat(journal.unknown()).containsExactly(failure);
    }

    @Test
    void aReplayDoesNotChangeWhenAnOutcomeBecameKnown() {
        fails("w-1");
        logShows(KEY, "w-1", 5);
        clock.advance(Duration.ofHours(1));
        logShows(KEY, "w-1", 5);
        assertThat(only().resolvedAt()).isEqualTo(NOON);
    }

    @Test
    void showsAFailureThatIsNewAndKnownAlsoWhenAllOthersAreUnknown() {
        FailureJournal small = journal(2);
        small.failed(unknown("w-1"));
        small.failed(unknown("w-2"));
        small.failed(known("w-3"));
        assertThat(small.newestFirst())
                .extracting(failure -> failure.write().writeId())
                .containsExactly("w-3", "w-2");
    }

    @Test
    void listsTheNewestFirst() {
        fails("w-1");
        fails("w-2");
        journal.failed(known("w-3"));
        assertThat(journal.newestFirst())
                .extracting(failure -> failure.write().writeId())
                .containsExactly("w-3", "w-2", "w-1");
        assertThat(journal.newestFirst()).extracting(Failure::id).doesNotHaveDuplicates();
        assertThat(journal.unknown())
                .extracting(failure -> failure.write().writeId())
                .containsExactly("w-2", "w-1");
    }

    @Test
    void knowsNothingOfAnIdThatItDidNotGive() {
        fails("w-1");
        assertThat(journal.find("nonsense")).isEmpty();
    }

    @Test
    void doesNotRememberWhatWasAcknowledged() {
        journal.begun(id("w-1"));
        journal.acknowledged(Operation.PUT, id("w-1"), new Revision(0, 1), TIMINGS);
        logShows(KEY, "w-1", 1042);
        assertThat(journal.newestFirst()).isEmpty();
    }

    @Test
    void anUnknownWriteThatTheLogShowsWasPersisted() {
        fails("w-1");
        clock.advance(Duration.ofSeconds(5));
        logShows(KEY, "w-1", 1042);

        Failure failure = only();
        assertThat(failure.outcome()).isEqualTo(Outcome.PERSISTED);
        assertThat(failure.revision()).isEqualTo(new Revision(3, 1042));
        assertThat(failure.resolvedAt()).isEqualTo(NOON.plusSeconds(5));
        assertThat(failure.diagnosis().outcome()).as("what was known then").isEqualTo(Outcome.UNKNOWN);
        assertThat(failure.advice()).startsWith("Nothing: ");
        assertThat(journal.unknown()).isEmpty();
    }

    @Test
    void soWasOneThatTheLogShowedBeforeTheFailureWasNoted() {
        journal.begun(id("w-1"));
        logShows(KEY, "w-1", 1042);
        journal.failed(unknown("w-1"));

        assertThat(only().outcome()).isEqualTo(Outcome.PERSISTED);
        assertThat(only().revision()).isEqualTo(new Revision(3, 1042));
    }

    @Test
    void onlySettlingMakesAnUnknownWriteOneThatWasNotPersisted() {
        fails("w-1");
        clock.advance(Duration.ofHours(1));
        assertThat(only().outcome()).isEqualTo(Outcome.UNKNOWN);

        journal.settleAsNotPersisted(only().id());
        assertThat(only().outcome()).isEqualTo(Outcome.NOT_PERSISTED);
        assertThat(only().resolvedAt()).isEqualTo(NOON.plus(Duration.ofHours(1)));
        assertThat(only().revision()).isNull();
    }

    @Test
    void aWriteThatTurnsUpAfterItWasSettledWasPersisted() {
        fails("w-1");
        journal.settleAsNotPersisted(only().id());
        clock.advance(Duration.ofSeconds(5));
        logShows(KEY, "w-1", 1042);

        assertThat(only().outcome()).isEqualTo(Outcome.PERSISTED);
        assertThat(only().revision()).isEqualTo(new Revision(3, 1042));
        assertThat(only().resolvedAt()).isEqualTo(NOON.plusSeconds(5));
    }

    @Test
    void aWriteThatWasPersistedIsNotSettledAsAnythingElse() {
        fails("w-1");
        logShows(KEY, "w-1", 1042);
        journal.settleAsNotPersisted(only().id());
        assertThat(only().outcome()).isEqualTo(Outcome.PERSISTED);
    }

    @Test
    void theSameWriteIdOfAnotherStateDoesNotCount() {
        fails("w-1");
        logShows(StateKey.of("order-42", 7, "charge-card", "evt-1"), "w-1", 1042);
        logShows(StateKey.of("order-43", 7, "charge-card"), "w-1", 1043);
        assertThat(only().outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void aRestoreWithTheWriteIdDoesNotCount() {
        fails("w-1");
        logShows(KEY, "w-1", 1042, 1041L);
        assertThat(only().outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void aRestoreThatFailedIsWatchedForAsAWriteOfItsOwn() {
        fails("restore-1041-w-1");
        logShows(KEY, "w-1", 1042);
        assertThat(only().outcome()).isEqualTo(Outcome.UNKNOWN);
        logShows(KEY, "w-1", 1043, 1041L);
        assertThat(only().outcome()).isEqualTo(Outcome.PERSISTED);
        assertThat(only().revision()).isEqualTo(new Revision(3, 1043));
    }

    @Test
    void otherWritesDoNotCount() {
        fails("w-1");
        logShows(KEY, "w-2", 1042);
        logShows(KEY, "", 1043);
        assertThat(only().outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void concernsOnlyTheFailureOfThatWrite() {
        fails("w-1");
        fails("w-2");
        logShows(KEY, "w-2", 1042);
        assertThat(journal.newestFirst())
                .extracting(Failure::outcome)
                .containsExactly(Outcome.PERSISTED, Outcome.UNKNOWN);
    }

    @Test
    void dropsTheOldestFailureOfKnownOutcomeFirstWhenItIsFull() {
        FailureJournal small = journal(3);
        small.failed(unknown("w-1"));
        small.failed(known("w-2"));
        small.failed(known("w-3"));
        small.failed(unknown("w-4"));
        assertThat(small.newestFirst())
                .extracting(failure -> failure.write().writeId())
                .containsExactly("w-4", "w-3", "w-1");

        small.failed(unknown("w-5"));
        assertThat(small.newestFirst())
                .extracting(failure -> failure.write().writeId())
                .containsExactly("w-5", "w-4", "w-1");
    }

    @Test
    void dropsTheOldestWhenEveryOutcomeIsUnknown() {
        FailureJournal small = journal(2);
        small.failed(unknown("w-1"));
        small.failed(unknown("w-2"));
        small.failed(unknown("w-3"));
        assertThat(small.newestFirst())
                .extracting(failure -> failure.write().writeId())
                .containsExactly("w-3", "w-2");
    }

    @Test
    void staysWithinItsCapacityAndWatchesOnForWhatItKeeps() {
        FailureJournal small = journal(10);
        for (int i = 1; i <= 100; i++) {
            small.begun(id("w-" + i));
            small.failed(unknown("w-" + i));
        }
        assertThat(small.newestFirst()).hasSize(10);
        for (int i = 1; i <= 100; i++) {
            StateRecord record = new StateRecord(KEY, new Deletion(i, 0), "w-" + i, null, null, null);
            small.folded(3, record, new Judgement(true, record.content()));
        }
        assertThat(small.newestFirst())
                .hasSize(10)
                .allSatisfy(failure -> assertThat(failure.outcome()).isEqualTo(Outcome.PERSISTED));
    }

    @Test
    void takesAFailureOfAWriteThatNeverBegan() {
        journal.failed(FailedWrites.failed(Reach.NOT_BEGUN, new IllegalStateException("held back")));
        logShows(KEY, "w-1", 1042);
        assertThat(only().outcome()).isEqualTo(Outcome.NOT_PERSISTED);
    }

    @Test
    void aVoidRecordSettlesTheFailureAtOnce() {
        fails("w-1");
        logShowsVoid("w-1", 1042);
        assertThat(only().outcome()).isEqualTo(Outcome.NOT_PERSISTED);
        assertThat(only().revision()).isNull();
    }

    @Test
    void aVoidRecordMetBeforeTheFailureSettlesItAsWell() {
        journal.begun(id("w-1"));
        logShowsVoid("w-1", 1042);
        journal.failed(unknown("w-1"));
        assertThat(only().outcome()).isEqualTo(Outcome.NOT_PERSISTED);
    }

    private void logShowsVoid(String writeId, long offset) {
        StateRecord record = new StateRecord(KEY, new Deletion(offset, 0), writeId, null, null, null);
        journal.folded(3, record, new Judgement(false, null));
    }

    @Test
    void aClaimThatTurnsUpWasPersisted() {
        FailedWrite claim = new FailedWrite(
                Operation.CLAIM,
                "order-42",
                null,
                3,
                null,
                "w-1",
                WritePhase.ACKNOWLEDGEMENT,
                Reach.UNKNOWN,
                TIMINGS,
                new TimeoutException("Expiring 1 record(s)"));
        journal.begun(claim.identity());
        journal.failed(claim);
        journal.claimed(3, new ClaimRecord("order-42", 1042, 0, "w-1", null));
        assertThat(only().outcome()).isEqualTo(Outcome.PERSISTED);
        assertThat(only().revision()).isEqualTo(new Revision(3, 1042));
    }

    @Test
    void aWriteThatIsRepeatedUnderItsNameSettlesTheFirstOne() {
        fails("w-1");
        journal.begun(id("w-1"));
        journal.acknowledged(Operation.PUT, id("w-1"), new Revision(3, 1050), TIMINGS);
        logShows(KEY, "w-1", 1050);
        assertThat(only().outcome()).isEqualTo(Outcome.PERSISTED);
        assertThat(only().revision()).isEqualTo(new Revision(3, 1050));
    }

    @Test
    void aWriteThatWasCertainlyNotPersistedStaysSoWhenItIsRepeatedUnderItsName() {
        journal.begun(id("w-1"));
        journal.failed(FailedWrites.known("w-1"));
        journal.begun(id("w-1"));
        logShows(KEY, "w-1", 1050);
        assertThat(only().outcome()).isEqualTo(Outcome.NOT_PERSISTED);
    }

    @Test
    void aRefusedConditionIsAnAnswerAndNoFailure() {
        journal.begun(id("w-1"));
        journal.failed(WriteFailures.refused(new Refusal.Mismatch(null)));
        assertThat(journal.newestFirst()).isEmpty();
    }

    @Test
    void aFencedWriteIsKeptAsEvidence() {
        journal.failed(WriteFailures.refused(new Refusal.Fenced(17, "pod-1", null, false)));
        assertThat(only().diagnosis().problem()).isEqualTo(Problem.ATTEMPT_FENCED);
        assertThat(only().outcome()).isEqualTo(Outcome.NOT_PERSISTED);
    }
}
