package io.durablestate.state;

import static io.durablestate.state.FoldRecords.deletion;
import static io.durablestate.state.FoldRecords.onlyIf;
import static io.durablestate.state.FoldRecords.put;
import static io.durablestate.state.FoldRecords.restore;
import static io.durablestate.state.FoldRecords.version;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What readers see: the head, which an acknowledgement raises, against what the rules look at, which only the fold moves. */
class StateIndexTests {

    private static final StateKey STATE = StateKey.of("order-42", 7, "charge-card");
    private static final StateKey OTHER = StateKey.of("order-42", 8, "charge-card");

    private final StateIndex index = new StateIndex();

    @BeforeEach
    void startWithAnEmptyLog() {
        index.startReplay(1);
        index.endReplay();
    }

    @Test
    void anAcknowledgedPutIsSeenBeforeItIsFolded() {
        assertThat(raise(put(STATE, 3))).isNull();
        assertSeen(version(3, 3));
    }

    @Test
    void foldingWhatWasRaisedChangesNothing() {
        raise(put(STATE, 3));
        index.fold(0, put(STATE, 3));
        assertSeen(version(3, 3));
    }

    @Test
    void raisingWhatWasFoldedChangesNothing() {
        index.fold(0, put(STATE, 3));
        assertThat(raise(put(STATE, 3))).isEqualTo(version(3, 3));
        assertSeen(version(3, 3));
    }

    @Test
    void olderRecordsAreFoldedBehindARaisedHead() {
        raise(put(STATE, 5));
        index.fold(0, put(STATE, 3));
        assertSeen(version(5, 5));
        index.fold(0, deletion(STATE, 4));
        assertSeen(version(5, 5));
        index.fold(0, put(STATE, 5));
        assertSeen(version(5, 5));
        index.fold(0, put(STATE, 6));
        assertSeen(version(6, 6));
    }

    @Test
    void aRaiseThatComesAfterTheReaderHasPassedChangesNothing() {
        index.fold(0, put(STATE, 3));
        index.fold(0, put(STATE, 4));
        assertThat(raise(put(STATE, 3))).isEqualTo(version(4, 4));
        assertSeen(version(4, 4));
    }

    @Test
    void aRaiseThatComesAfterTheReaderHasPassedDoesNotBringBackWhatWasDeletedAndForgotten() {
        index.fold(0, put(STATE, 3));
        index.fold(0, deletion(STATE, 4));
        index.forgetDeletionsBefore(5);
        raise(put(STATE, 3));
        assertNothingSeen();
    }

    @Test
    void aRaiseThatComesAfterTheReaderHasSkippedItsOffsetChangesNothing() {
        index.passed(0, 4);
        raise(put(STATE, 3));
        assertNothingSeen();
    }

    @Test
    void twoPutsThatCompleteInTheWrongOrderEndWithTheOneThatTheLogHasLast() {
        raise(put(STATE, 4));
        assertThat(raise(put(STATE, 3))).isEqualTo(version(4, 4));
        assertSeen(version(4, 4));
        index.fold(0, put(STATE, 3));
        assertSeen(version(4, 4));
        index.fold(0, put(STATE, 4));
        assertSeen(version(4, 4));
    }

    @Test
    void aPutAndADeletionThatCompleteInTheWrongOrderEndWithTheOneThatTheLogHasLast() {
        raise(deletion(STATE, 4));
        raise(put(STATE, 3));
        assertNothingSeen();
        index.fold(0, put(STATE, 3));
        assertNothingSeen();
        index.fold(0, deletion(STATE, 4));
        assertNothingSeen();
    }

    @Test
    void theRulesLookAtWhatWasFoldedAndNotAtTheHead() {
        index.fold(0, put(STATE, 3));
        raise(put(STATE, 5));
        assertThat(index.fold(0, onlyIf(3L, put(STATE, 4))).tookEffect()).isTrue();
        index.fold(0, put(STATE, 5));
        assertThat(index.fold(0, onlyIf(4L, put(STATE, 6))).tookEffect()).isFalse();
        assertSeen(version(5, 5));
    }

    @Test
    void aRaisedHeadDoesNotMakeADeletedStateKnownToTheRules() {
        raise(put(STATE, 5));
        assertThat(index.fold(0, onlyIf(null, put(STATE, 4))).tookEffect()).isTrue();
        assertSeen(version(5, 5));
    }

    @Test
    void aRaisedHeadIsUnknownToTheRulesDuringAReplay() {
        index.startReplay(1);
        raise(put(STATE, 5));
        assertThat(index.fold(0, onlyIf(2L, put(STATE, 4))).tookEffect()).isTrue();
        assertSeen(version(5, 5));
    }

    @Test
    void aVoidRecordIsNeverSeen() {
        index.fold(0, put(STATE, 3));
        index.fold(0, onlyIf(null, put(STATE, 4)));
        assertSeen(version(3, 3));
    }

    @Test
    void aHeadIsOlderThanARestoreThatComesAfterIt() {
        index.fold(0, put(STATE, 3));
        raise(put(STATE, 5));
        index.fold(0, onlyIf(null, put(STATE, 4)));
        index.fold(0, put(STATE, 5));
        assertThat(index.fold(0, restore(STATE, 6, 4, 3L)).tookEffect()).isFalse();
        assertSeen(version(5, 5));
        index.fold(0, restore(STATE, 7, 6, 5L));
        assertSeen(version(5, 7));
    }

    @Test
    void aDeletionThatIsNotFoldedYetIsNotForgotten() {
        index.fold(0, put(STATE, 3));
        raise(deletion(STATE, 4));
        index.forgetDeletionsBefore(Long.MAX_VALUE);
        assertNothingSeen();
        assertThat(index.fold(0, onlyIf(3L, put(STATE, 4))).tookEffect()).isTrue();
    }

    @Test
    void aDeletionUnderARaisedHeadIsNotForgotten() {
        index.fold(0, put(STATE, 3));
        index.fold(0, deletion(STATE, 4));
        raise(put(STATE, 6));
        index.forgetDeletionsBefore(Long.MAX_VALUE);
        assertSeen(version(6, 6));
        assertThat(index.fold(0, restore(STATE, 5, 3, 3L)).tookEffect()).isFalse();
    }

    @Test
    void aRaiseOfAnotherGenerationIsSeenByNobody() {
        StateIndex.Generation generation = index.generation();
        index.startReplay(1);
        assertThat(generation.raise(0, STATE, version(3, 3))).isNull();
        assertNothingSeen();
        assertThat(index.size()).isZero();
    }

    @Test
    void duringAReplayOldRecordsTakeEffectUnjudgedAndYoungOnesAreJudged() {
        index.startReplay(1);
        index.fold(0, put(STATE, 10));
        index.trustRecordsBefore(21);
        assertThat(index.fold(0, onlyIf(3L, put(STATE, 20))).tookEffect())
                .as("20 is older")
                .isTrue();
        assertThat(index.fold(0, onlyIf(3L, put(STATE, 21))).tookEffect())
                .as("21 is not")
                .isFalse();
        index.trustRecordsBefore(23);
        assertThat(index.fold(0, onlyIf(3L, put(STATE, 22))).tookEffect()).isTrue();
    }

    @Test
    void afterTheReplayEveryRecordIsJudgedHoweverOld() {
        index.startReplay(1);
        index.trustRecordsBefore(1_000);
        index.fold(0, put(STATE, 10));
        index.endReplay();
        assertThat(index.fold(0, onlyIf(3L, put(STATE, 20))).tookEffect()).isFalse();
    }

    @Test
    void eachReplayTrustsAnew() {
        index.startReplay(1);
        index.trustRecordsBefore(1_000);
        index.startReplay(1);
        index.fold(0, put(STATE, 10));
        assertThat(index.fold(0, onlyIf(3L, put(STATE, 20))).tookEffect()).isFalse();
    }

    @Test
    void eachReplayIsAGenerationOfItsOwn() {
        Object generation = index.generation();
        assertThat(index.generation()).isSameAs(generation);
        index.startReplay(1);
        assertThat(index.generation()).isNotSameAs(generation);
    }

    @Test
    void thePositionFollowsTheReaderAndNeverGoesBack() {
        index.fold(0, put(STATE, 3));
        assertThat(index.position(0)).isEqualTo(4);
        index.fold(0, FoldRecords.claim("order-42", 5));
        assertThat(index.position(0)).isEqualTo(6);
        index.passed(0, 9);
        assertThat(index.position(0)).isEqualTo(9);
        index.passed(0, 8);
        assertThat(index.position(0)).isEqualTo(9);
    }

    @Test
    void theSizeCountsWhatReadersSee() {
        assertThat(index.size()).isZero();
        raise(put(STATE, 3));
        assertThat(index.size()).isEqualTo(1);
        index.fold(0, put(STATE, 3));
        index.fold(0, put(OTHER, 4));
        index.fold(0, onlyIf(null, put(OTHER, 5)));
        assertThat(index.size()).isEqualTo(2);
        raise(deletion(STATE, 6));
        assertThat(index.size()).isEqualTo(1);
        index.fold(0, deletion(STATE, 6));
        index.forgetDeletionsBefore(7);
        assertThat(index.size()).isEqualTo(1);
        index.startReplay(1);
        assertThat(index.size()).isZero();
    }

    @Test
    void aScanGoesOnAfterAPlaceInOrderAndLeavesOutWhatIsDeleted() {
        StateKey last = StateKey.of("order-43", 1, "ship");
        index.fold(0, put(last, 1));
        index.fold(0, put(OTHER, 2));
        index.fold(0, deletion(OTHER, 3));
        index.fold(0, put(STATE, 4));
        raise(put(StateKey.of("order-44", 1, "ship"), 5));

        assertThat(scan(StateKey.before(""), 2)).containsExactly(STATE, last);
        assertThat(scan(STATE, 9)).containsExactly(last, StateKey.of("order-44", 1, "ship"));
    }

    private List<StateKey> scan(StateKey after, int limit) {
        List<StateKey> found = new ArrayList<>();
        index.scan(after, (key, version) -> {
            found.add(key);
            return found.size() < limit;
        });
        return found;
    }

    private FoldedState raise(StateRecord acknowledged) {
        return index.generation().raise(0, acknowledged.key(), acknowledged.content());
    }

    private void assertSeen(StateVersion version) {
        assertThat(index.find(STATE)).isEqualTo(version);
    }

    private void assertNothingSeen() {
        assertThat(index.find(STATE)).isNull();
    }
}
