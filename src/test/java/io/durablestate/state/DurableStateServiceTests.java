package io.durablestate.state;

import static io.durablestate.state.ServiceUnderTest.EVERYTHING;
import static io.durablestate.state.ServiceUnderTest.completed;
import static io.durablestate.state.ServiceUnderTest.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.durablestate.state.ServiceUnderTest.Fault;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.DuplicateSequenceException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.RecordBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The promise of {@link DurableStateService#put}, row by row. */
@Timeout(120)
class DurableStateServiceTests {

    private static final String MESSAGE = "Failed to send action state to Kafka";
    private static final StateKey KEY = StateKey.of("order-42", 7, "charge-card");

    private final ServiceUnderTest tested = new ServiceUnderTest();
    private final DurableStateService service = tested.service;
    private final FakeStateLog log = tested.log;

    @AfterEach
    void everyPlaceIsGivenBack() {
        assertThat(tested.gate.placesTaken()).isZero();
        assertThat(log.lane().taken()).isZero();
    }

    @Test
    void sendThrows() throws InterruptedException {
        IllegalStateException failure =
                new IllegalStateException("Cannot perform operation after producer has been closed");
        log.producer().sendException = failure;

        assertThatThrownBy(() -> service.put(KEY, document("new")))
                .isInstanceOf(StateWriteException.class)
                .hasMessage(MESSAGE)
                .hasRootCause(failure);
        assertThat(log.steps()).containsExactly("send");
        assertNotAdded();
    }

    @Test
    void sendIsRejectedBeforeTheBuffer() throws InterruptedException {
        TimeoutException failure = new TimeoutException("Topic durable-state not present in metadata after 10000 ms.");
        log.producer().rejectOnSend(record -> Optional.of(failure));

        assertThatThrownBy(() -> service.put(KEY, document("new")))
                .isInstanceOf(StateWriteException.class)
                .hasMessage(MESSAGE)
                .hasRootCause(failure);
        assertThat(log.steps()).containsExactly("send");
        assertNotAdded();
    }

    @Test
    void flushFails() throws InterruptedException {
        IllegalStateException failure = new IllegalStateException("flush");
        log.producer().failFlushWith(failure);

        assertThatThrownBy(() -> service.put(KEY, document("new")))
                .isInstanceOf(StateWriteException.class)
                .hasMessage(MESSAGE)
                .hasRootCause(failure);
        assertThat(log.steps()).containsExactly("send", "flush");
        assertNotAdded();
    }

    @Test
    void futureCompletesExceptionallyAlthoughFlushReturnedNormally() throws InterruptedException {
        NotEnoughReplicasException failure = new NotEnoughReplicasException("1 of 2");
        log.producer().rejectOnAnswer(record -> Optional.of(failure));

        assertThatThrownBy(() -> service.put(KEY, document("new")))
                .isInstanceOf(StateWriteException.class)
                .hasMessage(MESSAGE)
                .hasRootCause(failure);
        assertThat(log.steps()).containsExactly("send", "flush", "wait");
        assertNotAdded();
    }

    @Test
    void waitForTheAcknowledgementIsInterrupted() throws Exception {
        Caller<PutResult> caller = tested.waitsInVain(() -> service.put(KEY, document("new")));
        caller.interrupt();

        assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
        assertThat(caller.wasLeftInterrupted()).isTrue();
        assertThat(log.steps()).containsExactly("send", "flush", "wait");
        assertNotAdded();
    }

    @Test
    void interruptedWhileBlockedInFlush() throws Exception {
        Caller<Object> caller = tested.fails(Fault.FLUSH_IS_INTERRUPTED, () -> service.put(KEY, document("new")));

        assertThat(caller.failure())
                .isInstanceOf(StateWriteException.class)
                .hasMessage(MESSAGE)
                .hasCauseInstanceOf(InterruptException.class);
        assertThat(caller.wasLeftInterrupted()).isTrue();
        assertThat(log.steps()).containsExactly("send", "flush");
        assertNotAdded();
    }

    @Test
    void interruptedWhileHeldBack() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        tested.gate.holdBack(never::await);
        Caller<PutResult> caller = Caller.calls(() -> service.put(KEY, document("new")));
        await().atMost(Caller.PATIENCE).until(caller::isWaiting);
        caller.interrupt();

        assertThat(caller.failure())
                .isInstanceOf(StateWriteException.class)
                .hasMessage(MESSAGE)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(caller.wasLeftInterrupted()).isTrue();
        assertThat(tested.told.failed())
                .singleElement()
                .satisfies(failure -> assertThat(failure.reach()).isEqualTo(Reach.NOT_BEGUN));
        assertThat(log.steps()).isEmpty();
        assertNotAdded();
    }

    @Test
    void acknowledgedWithoutAPlaceInTheLog() throws InterruptedException {
        log.producer().acknowledgeWithoutOffset();

        assertThatThrownBy(() -> service.put(KEY, document("new")))
                .isInstanceOf(StateWriteException.class)
                .hasMessage(MESSAGE)
                .hasRootCauseInstanceOf(DuplicateSequenceException.class);
        assertThat(tested.told.failed())
                .singleElement()
                .satisfies(failure -> assertThat(failure.reach()).isEqualTo(Reach.UNKNOWN));
    }

    @Test
    void interruptedWhileBlockedInSend() throws Exception {
        Caller<PutResult> caller = Caller.calls(() -> {
            // As Kafka's producer does when it waits for metadata or for room in its buffer.
            log.producer().sendException = new InterruptException(new InterruptedException());
            return service.put(KEY, document("new"));
        });

        assertThat(caller.failure())
                .isInstanceOf(StateWriteException.class)
                .hasMessage(MESSAGE)
                .hasCauseInstanceOf(InterruptException.class);
        assertThat(caller.wasLeftInterrupted()).isTrue();
        assertThat(log.steps()).containsExactly("send");
        assertNotAdded();
    }

    @Test
    void flushAndAcknowledgementSucceed() throws InterruptedException {
        PutResult result = service.put(KEY, completed("new"));

        StateReceipt receipt = result.receipt();
        assertThat(result.created()).isTrue();
        assertThat(receipt.key()).isEqualTo(KEY);
        assertThat(receipt.revision()).isEqualTo(new Revision(log.partitionOf("order-42"), 0));
        assertThat(receipt.completed()).isTrue();
        assertThat(receipt.attempt()).isNull();
        assertThat(receipt.size()).isEqualTo(3);
        assertThat(receipt.contentType()).isEqualTo("text/plain");
        assertThat(receipt.timestamp())
                .isEqualTo(Instant.ofEpochMilli(RecordBatch.NO_TIMESTAMP)); // as MockProducer says
        assertThat(receipt.writeId()).isEqualTo(tested.told.begun().get(0));
        assertThat(tested.textOf(KEY)).contains("new");
        assertThat(service.find(KEY)).contains(receipt);
        assertThat(tested.foldedLog.states()).isEqualTo(1);
    }

    @Test
    void sendsThenFlushesThenWaits() throws InterruptedException {
        service.put(KEY, document("new"));
        assertThat(log.steps()).containsExactly("send", "flush", "wait");
    }

    @Test
    void flushComesBeforeTheFutureIsWaitedOn() throws InterruptedException {
        // This producer answers nothing without a flush: waiting first would never end.
        log.producer().beforeAnswer(() -> assertThat(log.steps()).containsExactly("send", "flush"));
        service.put(KEY, document("new"));
        assertThat(tested.textOf(KEY)).contains("new");
    }

    @Test
    void isNotVisibleBeforeItIsAcknowledgedAndIsWhenThePutReturns() throws Exception {
        Caller<PutResult> caller = tested.waitsInVain(() -> service.put(KEY, document("new")));
        assertNotAdded();

        log.producer().answerAll();
        caller.result();
        assertThat(tested.textOf(KEY)).contains("new");
    }

    @Test
    void isNotVisibleBetweenItsAcknowledgementAndTheEndOfTheWait() throws InterruptedException {
        log.afterAcknowledgement(() -> assertThat(service.find(KEY)).isEmpty());
        service.put(KEY, document("new"));
        assertThat(service.find(KEY)).isPresent();
    }

    @Test
    void aPutWaitsForAsLongAsItsFutureIsOpen() throws Exception {
        Caller<PutResult> caller = tested.waitsInVain(() -> service.put(KEY, document("new")));

        // A thread that waits with a time limit is TIMED_WAITING.
        assertThat(caller.isWaiting()).isTrue();
        log.producer().answerAll();
        assertThat(caller.result().created()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aFailedPutLeavesWhatReadersSeeAsItWas(Fault fault) throws Exception {
        PutResult old = service.put(KEY, completed("old"));

        assertThat(tested.fails(fault, () -> service.put(KEY, document("new"))).failure())
                .isInstanceOfAny(StateWriteException.class, InterruptedException.class);

        assertThat(tested.textOf(KEY)).contains("old");
        assertThat(service.find(KEY)).contains(old.receipt());
        assertThat(service.list(EVERYTHING, null, 10).items()).containsExactly(new StatePage.Item(old.receipt(), true));
        assertThat(tested.foldedLog.states()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void theSamePutAgainAfterAFailureSucceeds(Fault fault) throws Exception {
        tested.fails(fault, () -> service.put(KEY, document("new")));
        assertThat(service.find(KEY)).isEmpty();

        service.put(KEY, document("new"));
        assertThat(tested.textOf(KEY)).contains("new");
    }

    @Test
    void aWriteThatFailedAndWasAppendedAllTheSameShowsOnceTheReaderHasReadIt() throws Exception {
        tested.fails(Fault.WAIT_IS_INTERRUPTED, () -> service.put(KEY, document("new")));
        log.producer().answerAll();
        assertThat(service.find(KEY)).isEmpty();

        log.foldAll();
        assertThat(tested.textOf(KEY)).contains("new");
    }

    @Test
    void ofTwoPutsTheNewerStaysWhenTheOlderAcknowledgementIsHandledLast() throws Exception {
        CountDownLatch newerIsDone = new CountDownLatch(1);
        Caller<PutResult> older = tested.waitsInVain(() -> service.put(KEY, document("older")));
        log.afterAcknowledgement(() -> {
            if (older.isThread(Thread.currentThread())) {
                awaitUninterrupted(newerIsDone);
            }
        });
        log.producer().flushAsUsual();

        PutResult newer = service.put(KEY, document("newer"));
        newerIsDone.countDown();

        assertThat(older.result().receipt().revision().offset())
                .isLessThan(newer.receipt().revision().offset());
        assertThat(tested.textOf(KEY)).contains("newer");
        assertThat(service.find(KEY)).contains(newer.receipt());
        log.foldAll();
        assertThat(tested.textOf(KEY)).contains("newer");
        assertThat(tested.foldedLog.states()).isEqualTo(1);
    }

    @Test
    void aRejectedRecordBesideGoodOnesConcernsItsOwnCallerOnly() throws Exception {
        StateKey bad = StateKey.of("order-42", 7, "bad");
        log.producer()
                .rejectOnAnswer(
                        record -> new String(record.key(), java.nio.charset.StandardCharsets.UTF_8).endsWith("bad")
                                ? Optional.of(new RecordTooLargeException("too large"))
                                : Optional.empty());
        List<StateKey> good = IntStream.range(0, 6)
                .mapToObj(i -> StateKey.of("order-42", i, "good"))
                .toList();
        List<Caller<PutResult>> before = good.subList(0, 3).stream()
                .map(key -> tested.waitsInVain(() -> service.put(key, document("good"))))
                .toList();
        Caller<PutResult> rejected = tested.waitsInVain(() -> service.put(bad, document("bad")));
        List<Caller<PutResult>> after = good.subList(3, 6).stream()
                .map(key -> tested.waitsInVain(() -> service.put(key, document("good"))))
                .toList();

        log.producer().answerAll();

        assertThat(rejected.failure()).hasMessage(MESSAGE).hasRootCauseInstanceOf(RecordTooLargeException.class);
        for (Caller<PutResult> caller : before) {
            assertThat(caller.result().created()).isTrue();
        }
        for (Caller<PutResult> caller : after) {
            assertThat(caller.result().created()).isTrue();
        }
        assertThat(tested.listed(EVERYTHING)).isEqualTo(good);
        assertThat(tested.told.onlyFailure().state()).isEqualTo(bad);
    }

    @Test
    void saysWhetherThereWasAStateBefore() throws InterruptedException {
        assertThat(service.put(KEY, document("a")).created()).isTrue();
        assertThat(service.put(KEY, document("b")).created()).isFalse();
        service.delete(KEY);
        assertThat(service.put(KEY, document("c")).created()).isTrue();
    }

    @Test
    void aPutThatTheReaderHasMetFirstChangesNothingMore() throws InterruptedException {
        log.afterAcknowledgement(() -> {
            log.putElsewhere(KEY, document("newer, elsewhere"));
            log.foldAll();
        });

        service.put(KEY, document("mine"));
        assertThat(tested.textOf(KEY)).contains("newer, elsewhere");
        assertThat(tested.foldedLog.states()).isEqualTo(1);
    }

    @Test
    void aPutThatBeganBeforeAReplayShowsNothingToReadersAfterIt() throws Exception {
        Caller<PutResult> caller = tested.waitsInVain(() -> service.put(KEY, document("of the old log")));
        tested.foldedLog.startReplay(FakeStateLog.PARTITIONS);
        tested.foldedLog.endReplay();
        log.producer().answerAll();

        caller.result();
        assertThat(service.find(KEY)).isEmpty();
        assertThat(tested.foldedLog.states()).isZero();
    }

    @Test
    void takesNothingBeforeTheLogHasBeenReplayed() {
        tested.gate.startReplay(NotServingException.Reason.RECOVERING);
        assertThatThrownBy(() -> service.put(KEY, document("new"))).isInstanceOf(NotServingException.class);
        assertThatThrownBy(() -> service.delete(KEY)).isInstanceOf(NotServingException.class);
        assertThatThrownBy(() -> service.prune("order-42", 7, false, false)).isInstanceOf(NotServingException.class);
        assertThatThrownBy(() -> service.read(KEY)).isInstanceOf(NotServingException.class);
        assertThatThrownBy(() -> service.find(KEY)).isInstanceOf(NotServingException.class);
        assertThatThrownBy(() -> service.list(EVERYTHING, null, 10)).isInstanceOf(NotServingException.class);
        assertThat(log.steps()).isEmpty();
    }

    private void assertNotAdded() throws InterruptedException {
        assertThat(service.find(KEY)).isEmpty();
        assertThat(service.read(KEY)).isEmpty();
        assertThat(service.list(EVERYTHING, null, 10).items()).isEmpty();
        assertThat(tested.foldedLog.states()).isZero();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
