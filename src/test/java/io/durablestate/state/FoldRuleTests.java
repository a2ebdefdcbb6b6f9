package io.durablestate.state;

import static io.durablestate.state.FoldRecords.claim;
import static io.durablestate.state.FoldRecords.closingClaim;
import static io.durablestate.state.FoldRecords.deletion;
import static io.durablestate.state.FoldRecords.forAttempt;
import static io.durablestate.state.FoldRecords.forgottenClaim;
import static io.durablestate.state.FoldRecords.onlyIf;
import static io.durablestate.state.FoldRecords.put;
import static io.durablestate.state.FoldRecords.restore;
import static io.durablestate.state.FoldRecords.version;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rules of the fold one by one, on logs that are as short as the rule allows. */
class FoldRuleTests {

    private static final String KEY = "order-42";
    private static final StateKey STATE = StateKey.of(KEY, 7, "charge-card");

    /** A reader that was there before the first record. */
    private final StateIndex index = new StateIndex();

    @BeforeEach
    void startWithAnEmptyLog() {
        index.startReplay(1);
        index.endReplay();
    }

    @Nested
    class Writes {

        @Test
        void aPutTakesEffectWithItsOwnOffsetAsRevision() {
            assertTakesEffect(put(STATE, 3));
            assertInEffect(version(3, 3));
        }

        @Test
        void theNewestPutIsInEffect() {
            folded(put(STATE, 3), put(STATE, 4));
            assertInEffect(version(4, 4));
        }

        @Test
        void aDeletionTakesEffect() {
            folded(put(STATE, 3));
            assertTakesEffect(deletion(STATE, 4));
            assertNothingInEffect();
        }

        @Test
        void aWriteConcernsNoOtherState() {
            folded(put(STATE, 3), deletion(StateKey.of(KEY, 7, "charge-card", "evt-1"), 4));
            assertInEffect(version(3, 3));
        }
    }

    @Nested
    class Conditions {

        @Test
        void aRevisionInEffectIsMet() {
            folded(put(STATE, 3));
            assertTakesEffect(onlyIf(3L, put(STATE, 4)));
            assertInEffect(version(4, 4));
        }

        @Test
        void anotherRevisionMakesARecordVoid() {
            folded(put(STATE, 3), put(STATE, 4));
            assertVoid(onlyIf(3L, put(STATE, 5)));
            assertInEffect(version(4, 4));
        }

        @Test
        void aConditionalDeletionIsJudgedAsWell() {
            folded(put(STATE, 3), put(STATE, 4));
            assertVoid(onlyIf(3L, deletion(STATE, 5)));
            assertTakesEffect(onlyIf(4L, deletion(STATE, 6)));
        }

        @Test
        void noneIsMetByAStateThatWasNeverWrittenOrIsDeleted() {
            assertTakesEffect(onlyIf(null, put(STATE, 3)));
            folded(deletion(STATE, 4));
            assertTakesEffect(onlyIf(null, put(STATE, 5)));
        }

        @Test
        void noneMakesARecordVoidWhenTheStateIsThere() {
            folded(put(STATE, 3));
            assertVoid(onlyIf(null, put(STATE, 4)));
        }

        @Test
        void aRevisionOfADeletedStateIsNotMet() {
            folded(put(STATE, 3), deletion(STATE, 4));
            assertVoid(onlyIf(3L, put(STATE, 5)));
            assertVoid(onlyIf(4L, put(STATE, 6)));
        }

        @Test
        void aVoidRecordIsNotWhatTheNextConditionSpeaksOf() {
            folded(put(STATE, 3), onlyIf(null, put(STATE, 4)));
            assertVoid(onlyIf(4L, put(STATE, 5)));
            assertTakesEffect(onlyIf(3L, put(STATE, 6)));
        }

        @Test
        void ofTwoWritersWhoSawTheSameOnlyTheFirstTakesEffect() {
            folded(put(STATE, 3));
            assertTakesEffect(onlyIf(3L, put(STATE, 4)));
            assertVoid(onlyIf(3L, put(STATE, 5)));
        }

        @Test
        void aRevisionOfAnotherPartitionIsNotMet() {
            folded(put(STATE, 3));
            assertVoid(FoldRecords.expecting(new StateRecord.Expectation(new Revision(1, 3)), put(STATE, 4)));
        }
    }

    @Nested
    class Attempts {

        @Test
        void aNewerClaimFencesTheAttemptsBeforeIt() {
            folded(claim(KEY, 1), claim(KEY, 2));
            assertVoid(forAttempt(1L, put(STATE, 3)));
            assertNothingInEffect();
        }

        @Test
        void aClaimDoesNotFenceItsOwnAttempt() {
            folded(claim(KEY, 1));
            assertTakesEffect(forAttempt(1L, put(STATE, 3)));
        }

        @Test
        void aClosingClaimFencesTheAttemptThatItCloses() {
            folded(claim(KEY, 1), closingClaim(KEY, 2));
            assertVoid(forAttempt(1L, put(STATE, 3)));
            assertThat(index.claim(KEY)).isEqualTo(closingClaim(KEY, 2));
        }

        @Test
        void aForgottenClaimFencesNothing() {
            folded(claim(KEY, 1), closingClaim(KEY, 2), forgottenClaim(KEY, 3));
            assertTakesEffect(forAttempt(1L, put(STATE, 4)));
            assertThat(index.claim(KEY)).isNull();
        }

        @Test
        void aClaimFencesNoOtherKey() {
            folded(claim(KEY, 1), claim("order-43", 2));
            assertTakesEffect(forAttempt(1L, put(STATE, 3)));
        }

        @Test
        void aWriteWithoutAttemptIsNotFenced() {
            folded(claim(KEY, 1), claim(KEY, 2));
            assertTakesEffect(put(STATE, 3));
        }

        @Test
        void anAttemptDoesNotMakeUpForAConditionNorTheOtherWayRound() {
            folded(claim(KEY, 1), put(STATE, 2), claim(KEY, 3));
            assertVoid(forAttempt(1L, onlyIf(2L, put(STATE, 4))));
            assertVoid(forAttempt(3L, onlyIf(null, put(STATE, 5))));
            assertTakesEffect(forAttempt(3L, onlyIf(2L, put(STATE, 6))));
        }
    }

    @Nested
    class Restores {

        @Test
        void aRestoredStateHasItsOldRevisionAndItsBytesWhereTheRestoreLies() {
            folded(put(STATE, 3), onlyIf(null, put(STATE, 4)));
            assertTakesEffect(restore(STATE, 5, 4, 3L));
            assertInEffect(version(3, 5));
            assertTakesEffect(onlyIf(3L, put(STATE, 6)));
        }

        @Test
        void aRestoreIsVoidWhenSomethingTookEffectAfterItsAsOf() {
            folded(put(STATE, 3), onlyIf(null, put(STATE, 4)), onlyIf(3L, put(STATE, 5)));
            assertVoid(restore(STATE, 6, 4, 3L));
            assertInEffect(version(5, 5));
        }

        @Test
        void aRestoreIsVoidWhenADeletionTookEffectAfterItsAsOf() {
            folded(put(STATE, 3), onlyIf(null, put(STATE, 4)), deletion(STATE, 5));
            assertVoid(restore(STATE, 6, 4, 3L));
            assertNothingInEffect();
        }

        @Test
        void aRestoreDoesNotMindVoidRecordsAfterItsAsOf() {
            folded(put(STATE, 3), onlyIf(null, put(STATE, 4)), onlyIf(null, put(STATE, 5)));
            assertTakesEffect(restore(STATE, 6, 4, 3L));
        }

        @Test
        void aRestoreIsVoidWhenTheSameRevisionCameBackAfterItsAsOf() {
            folded(put(STATE, 3), onlyIf(null, put(STATE, 4)), restore(STATE, 5, 4, 3L));
            assertVoid(restore(STATE, 6, 4, 3L));
            assertInEffect(version(3, 5));
        }

        @Test
        void aVoidRestoreIsRepairedByAnother() {
            folded(put(STATE, 3), onlyIf(null, put(STATE, 4)), put(STATE, 5), restore(STATE, 6, 4, 3L));
            assertTakesEffect(restore(STATE, 7, 6, 5L));
            assertInEffect(version(5, 7));
        }

        @Test
        void aRestoreOfNoneDeletes() {
            folded(put(STATE, 3), deletion(STATE, 4), onlyIf(3L, put(STATE, 5)));
            assertTakesEffect(restore(STATE, 6, 5, null));
            assertNothingInEffect();
            assertTakesEffect(onlyIf(null, put(STATE, 7)));
        }

        @Test
        void aRestoreIsNotFencedThoughItCarriesTheAttemptOfWhatItRestores() {
            folded(claim(KEY, 1), forAttempt(1L, put(STATE, 3)), claim(KEY, 4), forAttempt(1L, put(STATE, 5)));
            assertTakesEffect(forAttempt(1L, restore(STATE, 6, 5, 3L)));
            assertInEffect(version(3, 6));
        }
    }

    @Nested
    class Replays {

        @BeforeEach
        void startReplay() {
            index.startReplay(1);
        }

        @Test
        void whatSurvivedCompactionIsTrusted() {
            assertTakesEffect(onlyIf(3L, put(STATE, 4)));
            assertInEffect(version(4, 4));
        }

        @Test
        void aRestoreThatSurvivedAloneIsTrusted() {
            assertTakesEffect(restore(STATE, 6, 4, 3L));
            assertInEffect(version(3, 6));
        }

        @Test
        void whatIsKnownIsJudged() {
            folded(onlyIf(3L, put(STATE, 4)));
            assertVoid(onlyIf(3L, put(STATE, 5)));
        }

        @Test
        void aDeletionIsKnownAndNotUnknown() {
            folded(deletion(STATE, 4));
            assertVoid(onlyIf(3L, put(STATE, 5)));
        }

        @Test
        void aFencedWriteIsVoidAndLeavesTheStateUnknown() {
            folded(claim(KEY, 2));
            Judgement judgement = index.fold(0, forAttempt(1L, put(STATE, 3)));
            assertThat(judgement).isEqualTo(new Judgement(false, null));
            assertTakesEffect(onlyIf(0L, put(STATE, 4)));
        }

        @Test
        void anAttemptWhoseClaimsAreGoneIsTrusted() {
            assertTakesEffect(forAttempt(1L, put(STATE, 3)));
        }

        @Test
        void whatIsUnknownAtTheEndIsDeleted() {
            index.endReplay();
            assertVoid(onlyIf(3L, put(STATE, 4)));
            assertTakesEffect(onlyIf(null, put(STATE, 5)));
        }

        @Test
        void anotherReplayKnowsNothing() {
            folded(put(STATE, 3), claim(KEY, 4));
            index.endReplay();
            index.startReplay(1);
            assertNothingInEffect();
            assertThat(index.claim(KEY)).isNull();
            assertTakesEffect(onlyIf(0L, forAttempt(0L, put(STATE, 5))));
        }

        /** A repairer looks after 4 and appends at 6; in between the state is deleted and another reader starts. */
        @Test
        void aDeletionIsRememberedAfterTheReplayForRestoresThatDidNotKnowOfIt() {
            folded(put(STATE, 3), onlyIf(null, put(STATE, 4)), deletion(STATE, 5));
            index.endReplay();
            assertVoid(restore(STATE, 6, 4, 3L));
            assertNothingInEffect();
        }
    }

    @Nested
    class ForgottenDeletions {

        @Test
        void aDeletionIsRememberedUntilItIsOldEnough() {
            folded(put(STATE, 3), deletion(STATE, 5));
            index.forgetDeletionsBefore(5);
            assertVoid(restore(STATE, 6, 4, 3L));
            index.forgetDeletionsBefore(6);
            assertTakesEffect(restore(STATE, 7, 4, 3L));
        }

        @Test
        void aForgottenDeletionIsStillADeletion() {
            folded(put(STATE, 3), deletion(STATE, 5));
            index.forgetDeletionsBefore(6);
            assertNothingInEffect();
            assertVoid(onlyIf(3L, put(STATE, 6)));
            assertTakesEffect(onlyIf(null, put(STATE, 7)));
        }

        @Test
        void aStateThatIsThereIsNotForgotten() {
            folded(put(STATE, 3));
            index.forgetDeletionsBefore(Long.MAX_VALUE);
            assertInEffect(version(3, 3));
        }
    }

    private void folded(LogRecord... records) {
        for (LogRecord record : records) {
            if (record instanceof StateRecord state) {
                index.fold(0, state);
            } else if (record instanceof ClaimRecord claim) {
                index.fold(0, claim);
            }
        }
    }

    private void assertTakesEffect(StateRecord record) {
        assertThat(index.fold(0, record)).isEqualTo(new Judgement(true, record.content()));
    }

    /** And changes nothing. */
    private void assertVoid(StateRecord record) {
        StateVersion before = index.find(record.key());
        assertThat(index.fold(0, record).tookEffect()).isFalse();
        assertThat(index.find(record.key())).isEqualTo(before);
    }

    private void assertInEffect(StateVersion version) {
        assertThat(index.find(STATE)).isEqualTo(version);
    }

    private void assertNothingInEffect() {
        assertThat(index.find(STATE)).isNull();
    }
}
