package io.durablestate.state;

import static io.durablestate.state.ServiceUnderTest.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.StateRecord.Expectation;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConditionalWriteTests {

    private static final StateKey KEY = StateKey.of("order-42", 7, "charge-card");

    private final ServiceUnderTest tested = new ServiceUnderTest();
    private final DurableStateService service = tested.service;
    private final FakeStateLog log = tested.log;

    @BeforeEach
    void theReaderFollows() {
        log.afterAcknowledgement(log::foldAll);
    }

    @AfterEach
    void everyPlaceIsGivenBack() {
        assertThat(tested.gate.placesTaken()).isZero();
        assertThat(log.lane().taken()).isZero();
    }

    private static Terms onlyIf(@Nullable Revision revision) {
        return new Terms(new Expectation(revision), null, null);
    }

    private static Terms onlyIf(@Nullable Revision revision, String name) {
        return new Terms(new Expectation(revision), null, name);
    }

    private static Terms ofAttempt(long attempt) {
        return new Terms(null, attempt, null);
    }

    private Revision put(String text) throws InterruptedException {
        return service.put(KEY, document(text)).receipt().revision();
    }

    /** What another instance does when a write of this one has been let in, so that it comes between look and record. */
    private void between(Runnable event) {
        boolean[] done = {false};
        tested.gate.holdBack(() -> {
            if (!done[0]) {
                done[0] = true;
                event.run();
            }
        });
    }

    private int records() {
        return log.producer().history().size();
    }

    private void assertNewestOfLogIs(String text) throws InterruptedException {
        log.compact();
        tested.foldedLog.startReplay(FakeStateLog.PARTITIONS);
        log.foldAll();
        tested.foldedLog.endReplay();
        assertThat(tested.textOf(KEY)).contains(text);
    }

    @Nested
    class OnARevision {

        @Test
        void takesEffectWhileItIsTheCurrentOne() throws InterruptedException {
            PutResult result = service.put(KEY, document("second"), onlyIf(put("first")));
            assertThat(result.created()).isFalse();
            assertThat(result.alreadyApplied()).isFalse();
            assertThat(tested.textOf(KEY)).contains("second");
            assertThat(service.find(KEY)).contains(result.receipt());
        }

        @Test
        void isRefusedWithoutARecordWhenThisInstanceKnowsBetter() throws InterruptedException {
            Revision first = put("first");
            Revision second = put("second");
            int before = records();
            WriteRefusedException refused = catchThrowableOfType(
                    WriteRefusedException.class, () -> service.put(KEY, document("third"), onlyIf(first)));
            assertThat(refused.refusal()).isEqualTo(new Refusal.Mismatch(second));
            assertThat(records()).isEqualTo(before);
            assertThat(tested.textOf(KEY)).contains("second");
        }

        @Test
        void isRefusedWithoutARecordWhenTheLogKnowsBetter() throws InterruptedException {
            Revision first = put("first");
            log.putElsewhere(KEY, document("second"));
            int before = records();
            assertThatThrownBy(() -> service.put(KEY, document("third"), onlyIf(new Revision(0, 99))))
                    .isInstanceOf(WriteRefusedException.class);
            assertThat(records()).isEqualTo(before);
            assertThat(service.find(KEY))
                    .isPresent()
                    .get()
                    .satisfies(receipt -> assertThat(receipt.revision()).isNotEqualTo(first));
        }

        @Test
        void seesWhatOnlyTheLogKnowsOfYet() throws InterruptedException {
            log.putElsewhere(KEY, document("elsewhere"));
            log.foldAll();
            Revision elsewhere = service.find(KEY).orElseThrow().revision();
            assertThat(service.put(KEY, document("here"), onlyIf(elsewhere)).created())
                    .isFalse();
        }

        @Test
        void isVoidWhenAnotherWriteComesBetween_andWhatItHidesIsRestoredBeforeTheRefusal() throws InterruptedException {
            Revision first = put("first");
            between(() -> log.putElsewhere(KEY, document("elsewhere")));
            WriteRefusedException refused = catchThrowableOfType(
                    WriteRefusedException.class, () -> service.put(KEY, document("void"), onlyIf(first)));

            StateReceipt current = service.find(KEY).orElseThrow();
            assertThat(refused.refusal()).isEqualTo(new Refusal.Mismatch(current.revision()));
            assertThat(tested.textOf(KEY)).contains("elsewhere");
            assertThat(tested.foldedLog.hiddenStates()).isZero();
            assertNewestOfLogIs("elsewhere");
            assertThat(service.find(KEY)).contains(current);
        }

        @Test
        void onNothingIsVoidWhenAnotherWriteComesBetween() throws InterruptedException {
            between(() -> log.putElsewhere(KEY, document("elsewhere")));
            assertThatThrownBy(() -> service.put(KEY, document("void"), onlyIf(null)))
                    .isInstanceOf(WriteRefusedException.class);
            assertNewestOfLogIs("elsewhere");
        }

        @Test
        void onNothingIsVoidEvenIfThatWasDeletedAgain() throws InterruptedException {
            Revision first = put("first");
            between(() -> log.deleteElsewhere(KEY));
            assertThatThrownBy(() -> service.put(KEY, document("void"), onlyIf(first)))
                    .isInstanceOfSatisfying(
                            WriteRefusedException.class,
                            e -> assertThat(e.refusal()).isEqualTo(new Refusal.Mismatch(null)));
            assertThat(service.find(KEY)).isEmpty();
            log.compact();
            tested.foldedLog.startReplay(FakeStateLog.PARTITIONS);
            log.foldAll();
            tested.foldedLog.endReplay();
            assertThat(service.find(KEY)).isEmpty();
        }

        @Test
        void ofADeletionHolds() throws InterruptedException {
            Revision first = put("first");
            Revision second = put("second");
            assertThatThrownBy(() -> service.delete(KEY, onlyIf(first))).isInstanceOf(WriteRefusedException.class);
            assertThat(service.delete(KEY, onlyIf(second))).isTrue();
            assertThat(service.find(KEY)).isEmpty();
        }

        @Test
        void ofADeletionIsVoidWhenAnotherWriteComesBetween() throws InterruptedException {
            Revision first = put("first");
            between(() -> log.putElsewhere(KEY, document("elsewhere")));
            assertThatThrownBy(() -> service.delete(KEY, onlyIf(first))).isInstanceOf(WriteRefusedException.class);
            assertNewestOfLogIs("elsewhere");
        }

        @Test
        void ofADeletionThatBearsTheNameOfTheStateIsRefusedAllTheSame() throws InterruptedException {
            Revision first = put("first");
            between(() -> log.putElsewhere(KEY, document("elsewhere"), new Terms(null, null, "name")));
            assertThatThrownBy(() -> service.delete(KEY, onlyIf(first, "name")))
                    .isInstanceOf(WriteRefusedException.class);
            assertThat(tested.textOf(KEY)).contains("elsewhere");
        }
    }

    @Nested
    class WithAName {

        @Test
        void isAnsweredWithWhatItHasStored() throws InterruptedException {
            Revision first = put("first");
            PutResult stored = service.put(KEY, document("second"), onlyIf(first, "w-1"));
            int before = records();
            PutResult again = service.put(KEY, document("second"), onlyIf(first, "w-1"));
            assertThat(again).isEqualTo(new PutResult(stored.receipt(), false, true));
            assertThat(records()).isEqualTo(before);
        }

        @Test
        void isAnsweredWithWhatItHasStoredOnAnotherInstanceJustNow() throws InterruptedException {
            Revision first = put("first");
            between(() -> log.putElsewhere(KEY, document("second"), onlyIf(first, "w-1")));
            PutResult again = service.put(KEY, document("second"), onlyIf(first, "w-1"));
            assertThat(again.alreadyApplied()).isTrue();
            assertThat(again.receipt()).isEqualTo(service.find(KEY).orElseThrow());
            assertThat(tested.told.failed()).isEmpty();
            assertThat(tested.told.acknowledged())
                    .extracting(ToldEvents.Acknowledged::operation)
                    .contains(Operation.RESTORE)
                    .endsWith(Operation.PUT);
            assertNewestOfLogIs("second");
            assertThat(service.find(KEY)).contains(again.receipt());
        }

        @Test
        void isRefusedOnceSomethingElseIsStored() throws InterruptedException {
            Revision first = put("first");
            service.put(KEY, document("second"), onlyIf(first, "w-1"));
            put("third");
            assertThatThrownBy(() -> service.put(KEY, document("second"), onlyIf(first, "w-1")))
                    .isInstanceOf(WriteRefusedException.class);
        }

        @Test
        void withoutTermsIsStoredAnew() throws InterruptedException {
            Terms named = new Terms(null, null, "w-1");
            Revision first = service.put(KEY, document("same"), named).receipt().revision();
            PutResult again = service.put(KEY, document("same"), named);
            assertThat(again.alreadyApplied()).isFalse();
            assertThat(again.receipt().revision()).isNotEqualTo(first);
            assertThat(again.receipt().writeId()).isEqualTo("w-1");
        }
    }

    @Nested
    class OfAnAttempt {

        @Test
        void takesEffectWhileItHoldsTheKey() throws InterruptedException {
            long attempt =
                    tested.claims.claim("order-42", "pod-1", null).record().offset();
            PutResult result = service.put(KEY, document("mine"), ofAttempt(attempt));
            assertThat(result.receipt().attempt()).isEqualTo(attempt);
        }

        @Test
        void isRefusedOnceAnotherHasClaimedTheKey() throws InterruptedException {
            long first = tested.claims.claim("order-42", "pod-1", null).record().offset();
            ClaimRecord second = tested.claims.claim("order-42", "pod-2", null).record();
            int before = records();
            WriteRefusedException refused = catchThrowableOfType(
                    WriteRefusedException.class, () -> service.put(KEY, document("zombie"), ofAttempt(first)));
            assertThat(refused.refusal()).isEqualTo(new Refusal.Fenced(first, "pod-1", second.attempt(), false));
            assertThat(refused).hasMessageContaining("pod-2");
            assertThat(records()).isEqualTo(before);
            FailedWrite evidence = tested.told.onlyFailure();
            assertThat(evidence.attempt()).isEqualTo(first);
            assertThat(evidence.phase()).isEqualTo(WritePhase.VERDICT);
            assertThat(evidence.cause()).isSameAs(refused);
        }

        @Test
        void isVoidWhenAClaimComesBetween() throws InterruptedException {
            long first = tested.claims.claim("order-42", "pod-1", null).record().offset();
            service.put(KEY, document("mine"), ofAttempt(first));
            StateReceipt mine = service.find(KEY).orElseThrow();
            between(() -> log.claimElsewhere("order-42", "pod-2"));
            assertThatThrownBy(() -> service.put(KEY, document("zombie"), ofAttempt(first)))
                    .isInstanceOfSatisfying(
                            WriteRefusedException.class,
                            e -> assertThat(e.refusal()).isInstanceOf(Refusal.Fenced.class));
            assertThat(service.find(KEY)).contains(mine);
            assertNewestOfLogIs("mine");
            assertThat(service.find(KEY)).contains(mine);
        }

        @Test
        void isRefusedOnceItIsClosed() throws InterruptedException {
            ClaimRecord claim = tested.claims.claim("order-42", "pod-1", null).record();
            tested.claims.close(claim);
            WriteRefusedException refused = catchThrowableOfType(
                    WriteRefusedException.class, () -> service.put(KEY, document("late"), ofAttempt(claim.offset())));
            assertThat(refused.refusal()).isInstanceOfSatisfying(Refusal.Fenced.class, fenced -> {
                assertThat(fenced.closed()).isTrue();
                assertThat(fenced.worker()).isEqualTo("pod-1");
            });
        }

        @Test
        void doesNotStopWritesWithoutOne() throws InterruptedException {
            tested.claims.claim("order-42", "pod-1", null);
            assertThat(put("free")).isNotNull();
        }
    }

    @Nested
    class ThatFails {

        @Test
        void beforeItsAcknowledgementIsUnknownOrNotAsAnyWrite() throws InterruptedException {
            Revision first = put("first");
            log.producer().rejectOnAnswer(record -> Optional.of(new NotEnoughReplicasException("1 of 2")));
            assertThatThrownBy(() -> service.put(KEY, document("second"), onlyIf(first)))
                    .isInstanceOf(StateWriteException.class);
            assertThat(tested.told.onlyFailure().phase()).isEqualTo(WritePhase.ACKNOWLEDGEMENT);
            assertThat(tested.textOf(KEY)).contains("first");
        }

        @Test
        void toHearTheVerdictInTimeIsUnknown() throws InterruptedException {
            Revision first = put("first");
            log.afterAcknowledgement(() -> {});
            assertThatThrownBy(() -> service.put(KEY, document("second"), onlyIf(first)))
                    .isInstanceOf(StateWriteException.class)
                    .hasRootCauseInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
            FailedWrite failure = tested.told.onlyFailure();
            assertThat(failure.phase()).isEqualTo(WritePhase.VERDICT);
            assertThat(failure.reach()).isEqualTo(Reach.UNKNOWN);
            assertThat(tested.textOf(KEY)).contains("first");
        }

        @Test
        void toBeRestoredIsRefusedAllTheSame_whoeverInterruptsIt() throws InterruptedException {
            Revision first = put("first");
            between(() -> log.putElsewhere(KEY, document("elsewhere")));
            log.producer().rejectOnSend(record -> {
                if (tested.foldedLog.hiddenStates() == 1) {
                    Thread.currentThread().interrupt(); // the restore is on its way
                }
                return Optional.empty();
            });
            assertThatThrownBy(() -> service.put(KEY, document("void"), onlyIf(first)))
                    .isInstanceOf(WriteRefusedException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(tested.told.onlyFailure().operation()).isEqualTo(Operation.PUT);
        }

        @Test
        void isNotTakenByAnInstanceThatIsFarBehind() throws InterruptedException {
            Revision first = put("first");
            tested.gate.fallBehind();
            int before = records();
            assertThatThrownBy(() -> service.put(KEY, document("second"), onlyIf(first)))
                    .isInstanceOfSatisfying(
                            NotServingException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.RECOVERING));
            assertThat(records()).isEqualTo(before);
        }
    }

    @Nested
    class WhoseWriterIsKilledBeforeTheRestore {

        /** A void record of another instance, behind a state. */
        private StateReceipt leaveAVoidRecord() throws InterruptedException {
            put("first");
            log.putElsewhere(KEY, document("void"), onlyIf(new Revision(0, 99)));
            log.foldAll();
            return service.find(KEY).orElseThrow();
        }

        @Test
        void isMadeGoodByTheSweep() throws InterruptedException {
            StateReceipt first = leaveAVoidRecord();
            tested.clock.advance(Duration.ofSeconds(31));
            tested.restorer.sweep();
            assertThat(tested.foldedLog.hiddenStates()).isZero();
            assertNewestOfLogIs("first");
            assertThat(service.find(KEY)).contains(first);
        }

        @Test
        void isLeftToItsWriterForAWhile() throws InterruptedException {
            leaveAVoidRecord();
            int before = records();
            tested.clock.advance(Duration.ofSeconds(29));
            tested.restorer.sweep();
            assertThat(records()).isEqualTo(before);
            assertThat(tested.foldedLog.hiddenStates()).isEqualTo(1);
        }

        @Test
        void isMadeGoodByAWriteWithoutTerms() throws InterruptedException {
            leaveAVoidRecord();
            put("second");
            assertThat(tested.foldedLog.hiddenStates()).isZero();
        }

        @Test
        void isNotMadeGoodByAWriteWithTerms() throws InterruptedException {
            StateReceipt first = leaveAVoidRecord();
            service.put(KEY, document("second"), onlyIf(first.revision()));
            assertThat(tested.foldedLog.hiddenStates()).isEqualTo(1);
            tested.clock.advance(Duration.ofSeconds(31));
            tested.restorer.sweep();
            assertThat(tested.foldedLog.hiddenStates()).isZero();
            assertNewestOfLogIs("second");
        }

        @Test
        void isTriedAgainWhenARestoreFails() throws InterruptedException {
            StateReceipt first = leaveAVoidRecord();
            tested.clock.advance(Duration.ofSeconds(31));
            log.producer().rejectOnAnswer(record -> Optional.of(new NotEnoughReplicasException("1 of 2")));
            tested.restorer.sweep();
            FailedWrite failure = tested.told.onlyFailure();
            assertThat(failure.operation()).isEqualTo(Operation.RESTORE);
            assertThat(failure.writeId())
                    .as("a write of its own, not the one that it restores")
                    .startsWith("restore-")
                    .endsWith(first.writeId());
            assertThat(tested.foldedLog.hiddenStates()).isEqualTo(1);
            log.producer().rejectOnAnswer(record -> Optional.empty());
            tested.restorer.sweep();
            assertThat(tested.foldedLog.hiddenStates()).isZero();
        }
    }
}
