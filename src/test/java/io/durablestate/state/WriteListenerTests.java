package io.durablestate.state;

import static io.durablestate.state.ServiceUnderTest.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.ServiceUnderTest.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What listeners are told of writes. */
@Timeout(120)
class WriteListenerTests {

    private static final StateKey KEY = StateKey.of("order-42", 7, "charge-card");

    private final ServiceUnderTest tested = new ServiceUnderTest();
    private final DurableStateService service = tested.service;
    private final FakeStateLog log = tested.log;
    private final ToldEvents told = tested.told;

    @AfterEach
    void everyPlaceIsGivenBack() {
        assertThat(tested.gate.placesTaken()).isZero();
    }

    @Test
    void hearsThatAWriteBeganBeforeItIsSentAndThatItWasAcknowledged() throws InterruptedException {
        log.producer().beforeAnswer(() -> assertThat(told.words()).containsExactly("begun " + KEY));
        service.put(KEY, document("new"));

        assertThat(told.words()).containsExactly("begun " + KEY, "acknowledged PUT");
        ToldEvents.Acknowledged acknowledged = told.acknowledged().get(0);
        assertThat(acknowledged.writeId()).isEqualTo(told.begun().get(0));
        WriteTimings timings = acknowledged.timings();
        assertThat(timings.send()).isPositive();
        assertThat(timings.flush()).isPositive();
        assertThat(timings.acknowledgement()).isPositive();
        assertThat(timings.total())
                .isEqualTo(timings.send().plus(timings.flush()).plus(timings.acknowledgement()));
    }

    @Test
    void hearsOfAnAcknowledgementWhenTheStateCanBeRead() throws InterruptedException {
        log.afterAcknowledgement(() -> assertThat(told.acknowledged()).isEmpty());
        service.put(KEY, document("new"));
        assertThat(told.acknowledged()).hasSize(1);
    }

    @Test
    void hearsOfADeletion() throws InterruptedException {
        service.put(KEY, document("old"));
        service.delete(KEY);
        assertThat(told.words())
                .containsExactly("begun " + KEY, "acknowledged PUT", "begun " + KEY, "acknowledged DELETE");
    }

    @ParameterizedTest
    @CsvSource({
        "SEND_THROWS, SEND",
        "SEND_IS_REJECTED, SEND",
        "FLUSH_FAILS, FLUSH",
        "FLUSH_IS_INTERRUPTED, FLUSH",
        "ACKNOWLEDGEMENT_FAILS, ACKNOWLEDGEMENT",
        "WAIT_IS_INTERRUPTED, ACKNOWLEDGEMENT"
    })
    void hearsAtWhichStepAWriteFailed(Fault fault, WritePhase phase) throws Exception {
        Throwable thrown =
                tested.fails(fault, () -> service.put(KEY, document("new"))).failure();

        assertThat(told.words()).containsExactly("begun " + KEY, "failed PUT");
        FailedWrite failure = told.onlyFailure();
        assertThat(failure.phase()).isEqualTo(phase);
        assertThat(failure.state()).isEqualTo(KEY);
        assertThat(failure.partition()).isEqualTo(log.partitionOf("order-42"));
        assertThat(failure.writeId()).isEqualTo(told.begun().get(0));
        assertThat(failure.attempt()).isNull();
        assertThat(failure.cause()).isSameAs(thrown instanceof StateWriteException ? thrown.getCause() : thrown);
        if (thrown instanceof StateWriteException writeFailed) {
            assertThat(writeFailed.failedWrite()).isSameAs(failure);
        }
        assertTimedUpTo(phase, failure.timings());
    }

    private static void assertTimedUpTo(WritePhase phase, WriteTimings timings) {
        assertThat(timings.send()).isPositive();
        if (phase == WritePhase.SEND) {
            assertThat(timings.flush()).isNull();
        } else {
            assertThat(timings.flush()).isPositive();
        }
        if (phase == WritePhase.ACKNOWLEDGEMENT) {
            assertThat(timings.acknowledgement()).isPositive();
        } else {
            assertThat(timings.acknowledgement()).isNull();
        }
        assertThat(timings.total()).isGreaterThanOrEqualTo(timings.send());
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void theLaneHearsOfEveryFailureToo(Fault fault) throws Exception {
        tested.fails(fault, () -> service.put(KEY, document("new")));
        assertThat(log.lane().failures()).containsExactly(told.onlyFailure().cause());
    }

    @Test
    void aRecordRejectedBeforeTheBufferWasNeverBuffered() throws Exception {
        log.lane().rejectUnbuffered();
        tested.fails(Fault.SEND_IS_REJECTED, () -> service.put(KEY, document("new")));
        assertThat(told.onlyFailure().reach()).isEqualTo(Reach.NEVER_BUFFERED);
    }

    @ParameterizedTest
    @EnumSource(names = {"SEND_IS_REJECTED", "ACKNOWLEDGEMENT_FAILS"})
    void aProducerThatRepeatedNothingAskedOnce(Fault fault) throws Exception {
        log.lane().retry();
        tested.fails(fault, () -> service.put(KEY, document("new")));
        assertThat(told.onlyFailure().reach()).isEqualTo(Reach.ASKED_ONCE);
    }

    @Test
    void aProducerThatRepeatedSomethingMayHaveAskedMoreThanOnce() {
        log.producer().beforeAnswer(log.lane()::retry);
        log.producer().rejectOnAnswer(record -> Optional.of(new NotEnoughReplicasException("1 of 2")));
        assertThatThrownBy(() -> service.put(KEY, document("new"))).isInstanceOf(StateWriteException.class);
        assertThat(told.onlyFailure().reach()).isEqualTo(Reach.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLUSH_FAILS", "FLUSH_IS_INTERRUPTED", "WAIT_IS_INTERRUPTED"})
    void nothingIsKnownOfARecordWithoutTheBrokersWord(Fault fault) throws Exception {
        tested.fails(fault, () -> service.put(KEY, document("new")));
        assertThat(told.onlyFailure().reach()).isEqualTo(Reach.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource(names = {"KAFKA_UNAVAILABLE", "KAFKA_REFUSED"})
    void aWriteThatIsNotLetInForKafkasFaultIsAFailureThatIsRemembered(Reason reason) {
        NotServingException why = new NotServingException(reason, "Nothing was sent", new TimeoutException("silence"));
        tested.gate.refuseWrites(why);

        assertThatThrownBy(() -> service.put(KEY, document("new")))
                .isInstanceOf(StateWriteException.class)
                .hasMessage("Failed to send action state to Kafka")
                .hasCause(why)
                .hasRootCauseMessage("silence");
        assertThat(told.words()).containsExactly("failed PUT");
        FailedWrite failure = told.onlyFailure();
        assertThat(failure.phase()).isEqualTo(WritePhase.SEND);
        assertThat(failure.reach()).isEqualTo(Reach.NOT_BEGUN);
        assertThat(failure.writeId()).isNotEmpty();
        assertThat(failure.timings().send()).isNull();
        assertThat(failure.timings().total()).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(log.steps()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"OVERLOADED", "RECOVERING", "STOPPING"})
    void aWriteThatIsNotLetInForAPassingReasonIsOnlyRefused(Reason reason) {
        NotServingException why = new NotServingException(reason, "Not now");
        tested.gate.refuseWrites(why);

        assertThatThrownBy(() -> service.put(KEY, document("new"))).isSameAs(why);
        assertThat(told.words()).containsExactly("refused PUT");
        assertThat(told.refused()).containsExactly(new ToldEvents.Refused(Operation.PUT, reason));
        assertThat(log.steps()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"RECOVERING", "KAFKA_UNAVAILABLE", "KAFKA_REFUSED"})
    void aWriteBeforeTheReplayHasEndedIsOnlyRefused(Reason reason) {
        tested.gate.startReplay(reason);

        assertThatThrownBy(() -> service.put(KEY, document("new"))).isInstanceOf(NotServingException.class);
        assertThatThrownBy(() -> service.delete(KEY)).isInstanceOf(NotServingException.class);
        assertThatThrownBy(() -> service.prune("order-42", 7, false, false)).isInstanceOf(NotServingException.class);
        assertThat(told.refused())
                .containsExactly(
                        new ToldEvents.Refused(Operation.PUT, reason),
                        new ToldEvents.Refused(Operation.DELETE, reason),
                        new ToldEvents.Refused(Operation.PRUNE, reason));
        assertThat(tested.gate.admissions()).isZero();
    }
}
