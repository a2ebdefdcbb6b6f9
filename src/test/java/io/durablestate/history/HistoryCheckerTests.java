package io.durablestate.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.history.Effect.Claimed;
import io.durablestate.history.Effect.Closed;
import io.durablestate.history.Effect.Conditions;
import io.durablestate.history.Effect.Deleted;
import io.durablestate.history.Effect.Fenced;
import io.durablestate.history.Effect.Saw;
import io.durablestate.history.Effect.Stored;
import io.durablestate.history.Step.Place;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class HistoryCheckerTests {

    private static final String STATE = "order-42/1/charge-card";

    private final History history = new History();

    private static Conditions onlyIf(@Nullable String write) {
        return new Conditions(write == null ? Conditions.ABSENT : write, null);
    }

    private static Conditions of(String worker) {
        return new Conditions(null, worker);
    }

    private Step happens(long from, long to, Effect effect) {
        return history.add(Step.happened(0, from, to, effect, null));
    }

    private void happens(long from, long to, Effect effect, long offset) {
        Place place = new Place(0, offset);
        history.add(Step.happened(0, from, to, effect, place));
        if (effect instanceof Stored stored) {
            history.saw(place, stored.write());
        }
    }

    private void mayHappen(long from, Effect effect) {
        history.add(Step.unknown(1, from, effect));
    }

    private static Stored put(String write) {
        return put(write, Conditions.NONE);
    }

    private static Stored put(String write, Conditions conditions) {
        return new Stored(STATE, write, conditions);
    }

    private static Saw saw(@Nullable String write) {
        return new Saw(STATE, write);
    }

    private void isExplained() {
        assertThat(history.violation()).isEmpty();
    }

    private void isNotExplained() {
        assertThat(history.violation()).isPresent();
    }

    @Nested
    class AWrite {

        @Test
        void isSeenOnceItIsAcknowledged() {
            happens(0, 1, put("a"), 10);
            happens(2, 3, saw("a"));
            isExplained();
        }

        @Test
        void isNotForgotten() {
            happens(0, 1, put("a"), 10);
            happens(2, 3, saw(null));
            isNotExplained();
        }

        @Test
        void replacesTheOneBefore() {
            happens(0, 1, put("a"), 10);
            happens(2, 3, put("b"), 11);
            happens(4, 5, saw("a"));
            isNotExplained();
        }

        @Test
        void underWayIsSeenOrNot() {
            happens(0, 9, put("a"), 10);
            happens(1, 2, saw(null));
            happens(3, 4, saw("a"));
            isExplained();
        }

        @Test
        void isNotSeenAndThenNotSeen() {
            happens(0, 9, put("a"), 10);
            happens(1, 2, saw("a"));
            happens(3, 4, saw(null));
            isNotExplained();
        }

        @Test
        void thatNobodyMadeIsNotSeen() {
            happens(0, 1, saw("a"));
            isNotExplained();
        }

        @Test
        void comesInTheOrderOfTheLog() {
            happens(0, 9, put("a"), 11);
            happens(0, 9, put("b"), 10);
            happens(10, 11, saw("a"));
            isExplained();
        }

        @Test
        void doesNotComeAgainstTheOrderOfTheLog() {
            happens(0, 9, put("a"), 11);
            happens(0, 9, put("b"), 10);
            happens(10, 11, saw("b"));
            isNotExplained();
        }

        @Test
        void thatBeginsAfterAnotherLiesBehindIt() {
            happens(0, 1, put("a"), 11);
            happens(2, 3, put("b"), 10);
            isNotExplained();
        }

        @Test
        void liesAtOnePlace() {
            happens(0, 1, put("a"), 10);
            history.saw(new Place(0, 12), "a");
            isNotExplained();
        }
    }

    @Nested
    class OfUnknownOutcome {

        @Test
        void isSeenAtAnyTimeFromThenOn() {
            mayHappen(0, put("a"));
            happens(1, 2, saw(null));
            history.saw(new Place(0, 10), "a");
            happens(3, 4, saw("a"));
            isExplained();
        }

        @Test
        void isNeverSeen() {
            mayHappen(0, put("a"));
            happens(1, 2, saw(null));
            isExplained();
        }

        @Test
        void doesNotHappenTwice() {
            mayHappen(0, put("a"));
            history.saw(new Place(0, 10), "a");
            happens(1, 2, saw("a"));
            happens(3, 4, put("b"), 11);
            happens(5, 6, saw("a"));
            isNotExplained();
        }

        @Test
        void doesNotHappenBeforeItBegins() {
            history.saw(new Place(0, 10), "a");
            happens(0, 1, saw("a"));
            mayHappen(2, put("a"));
            isNotExplained();
        }

        @Test
        void explainsARefusalThatNamesWhatNobodySaw() {
            happens(0, 1, put("a"), 10);
            mayHappen(2, put("b"));
            history.mismatched(0, 3, 4, STATE, "a", new Place(0, 11));
            isExplained();
        }

        @Test
        void happensByOneOfTheTries() {
            happens(0, 1, put("a"), 10);
            mayHappen(2, put("b", onlyIf("a")));
            mayHappen(3, put("b", onlyIf("a")));
            history.saw(new Place(0, 11), "b");
            happens(4, 5, saw("b"));
            isExplained();
            happens(6, 7, put("c"), 12);
            happens(8, 9, saw("b"));
            isNotExplained();
        }

        @Test
        void didNotHappenByTheTryBeforeTheOneThatDid() {
            mayHappen(0, put("a", onlyIf(null)));
            happens(1, 2, put("a", onlyIf(null)), 10);
            happens(3, 4, saw("a"));
            isExplained();
            happens(5, 6, put("b"), 11);
            happens(7, 8, saw("a"));
            isNotExplained();
        }

        @Test
        void happensByEachOfTheTries() {
            mayHappen(0, put("a"));
            mayHappen(1, put("a"));
            history.saw(new Place(0, 10), "a");
            happens(2, 3, saw("a"));
            happens(4, 5, put("b"), 11);
            happens(6, 7, saw("b"));
            history.saw(new Place(0, 12), "a");
            happens(8, 9, saw("a"));
            isExplained();
        }

        @Test
        void happensNoMoreOftenThanItWasTried() {
            mayHappen(0, put("a"));
            history.saw(new Place(0, 10), "a");
            history.saw(new Place(0, 12), "a");
            isNotExplained();
        }

        @Test
        void isADeletionThatMayHaveHappened() {
            happens(0, 1, put("a"), 10);
            mayHappen(2, new Deleted(STATE, Conditions.NONE));
            happens(3, 4, saw("a"));
            happens(5, 6, saw(null));
            isExplained();
            happens(7, 8, saw("a"));
            isNotExplained();
        }
    }

    @Nested
    class OnConditions {

        @Test
        void oneOfTwoHolds() {
            happens(0, 1, put("a"), 10);
            happens(2, 9, put("b", onlyIf("a")), 11);
            history.mismatched(1, 2, 9, STATE, "a", new Place(0, 11));
            isExplained();
        }

        @Test
        void twoDoNotHold() {
            happens(0, 1, put("a"), 10);
            happens(2, 9, put("b", onlyIf("a")), 11);
            happens(2, 9, put("c", onlyIf("a")), 12);
            isNotExplained();
        }

        @Test
        void thereMustBeNothing() {
            happens(0, 1, put("a", onlyIf(null)), 10);
            happens(2, 3, new Deleted(STATE, onlyIf("a")));
            happens(4, 5, put("b", onlyIf(null)), 12);
            isExplained();
            happens(6, 7, put("c", onlyIf(null)), 13);
            isNotExplained();
        }

        @Test
        void aRefusalMustBeTrue() {
            happens(0, 1, put("a"), 10);
            history.mismatched(1, 2, 3, STATE, "a", new Place(0, 10));
            isNotExplained();
        }

        @Test
        void aRefusalNamesWhatIsThere() {
            happens(0, 1, put("a"), 10);
            happens(2, 3, put("b"), 11);
            history.mismatched(1, 4, 5, STATE, "x", new Place(0, 10));
            isNotExplained();
        }

        @Test
        void aRefusalForNothingNeedsThatThereIsNothing() {
            happens(0, 1, put("a"), 10);
            history.mismatched(1, 2, 3, STATE, "x", null);
            isNotExplained();
        }
    }

    @Nested
    class OfAnAttempt {

        @Test
        void holdsUntilTheNextClaim() {
            happens(0, 1, new Claimed("pod-1"), 10);
            happens(2, 3, put("a", of("pod-1")), 11);
            happens(4, 5, new Claimed("pod-2"), 12);
            happens(6, 7, new Fenced("pod-1", "pod-2", false));
            happens(8, 9, saw("a"));
            isExplained();
        }

        @Test
        void doesNotHoldAfterTheNextClaim() {
            happens(0, 1, new Claimed("pod-1"), 10);
            happens(2, 3, new Claimed("pod-2"), 11);
            happens(4, 5, put("a", of("pod-1")), 12);
            isNotExplained();
        }

        @Test
        void isNotFencedWhileItHoldsTheKey() {
            happens(0, 1, new Claimed("pod-1"), 10);
            happens(2, 3, new Fenced("pod-1", "pod-1", false));
            isNotExplained();
        }

        @Test
        void endsWhenItIsClosed() {
            happens(0, 1, new Claimed("pod-1"), 10);
            happens(2, 3, new Closed("pod-1"));
            happens(4, 5, new Fenced("pod-1", "pod-1", true));
            isExplained();
            happens(6, 7, put("a", of("pod-1")), 14);
            isNotExplained();
        }

        @Test
        void readsNothingThatIsOlderThanItsClaim() {
            happens(0, 1, put("a"), 10);
            Step claim = history.add(Step.happened(0, 2, 9, new Claimed("pod-1"), new Place(0, 12)));
            happens(3, 4, put("b"), 11);
            history.add(Step.happened(0, 2, 9, saw("a"), null).after(claim));
            isNotExplained();
        }
    }
}
