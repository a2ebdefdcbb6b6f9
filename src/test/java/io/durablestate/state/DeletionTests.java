package io.durablestate.state;

import static io.durablestate.state.ServiceUnderTest.EVERYTHING;
import static io.durablestate.state.ServiceUnderTest.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.ServiceUnderTest.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class DeletionTests {

    private static final StateKey KEY = StateKey.of("order-42", 7, "charge-card");

    private final ServiceUnderTest tested = new ServiceUnderTest();
    private final DurableStateService service = tested.service;
    private final FakeStateLog log = tested.log;

    @AfterEach
    void everyPlaceIsGivenBack() {
        assertThat(tested.gate.placesTaken()).isZero();
    }

    @Test
    void ofAStateThatIsNotThereSendsNothing() throws InterruptedException {
        assertThat(service.delete(KEY)).isFalse();
        assertThat(log.steps()).isEmpty();
        assertThat(tested.told.words()).isEmpty();
    }

    @Test
    void ofAStateThatOnlyTheLogKnowsOfLooksThereFirst() throws InterruptedException {
        log.putElsewhere(KEY, document("elsewhere"));
        assertThat(service.find(KEY)).isEmpty();

        assertThat(service.delete(KEY)).isTrue();
        assertThat(service.find(KEY)).isEmpty();
        log.foldAll();
        assertThat(service.find(KEY)).isEmpty();
    }

    @Test
    void isVisibleOnceItIsAcknowledgedAndNotBefore() throws Exception {
        service.put(KEY, document("old"));
        Caller<Boolean> caller = tested.waitsInVain(() -> service.delete(KEY));
        assertThat(tested.textOf(KEY)).contains("old");

        log.producer().answerAll();
        assertThat(caller.result()).isTrue();
        assertThat(service.find(KEY)).isEmpty();
        assertThat(service.read(KEY)).isEmpty();
        assertThat(service.list(EVERYTHING, null, 10).items()).isEmpty();
        assertThat(tested.foldedLog.states()).isZero();
    }

    @Test
    void sendsThenFlushesThenWaits() throws InterruptedException {
        service.put(KEY, document("old"));
        service.delete(KEY);
        assertThat(log.steps()).containsExactly("send", "flush", "wait", "send", "flush", "wait");
        assertThat(log.producer().history().get(1).value()).isNull();
    }

    @Test
    void twiceIsOnlyOnceADeletion() throws InterruptedException {
        service.put(KEY, document("old"));
        assertThat(service.delete(KEY)).isTrue();
        assertThat(service.delete(KEY)).isFalse();
        assertThat(log.producer().history()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void thatFailsLeavesWhatReadersSeeAsItWas(Fault fault) throws Exception {
        PutResult old = service.put(KEY, document("old"));

        Caller<Object> caller = tested.fails(fault, () -> service.delete(KEY));
        assertThat(caller.failure()).isInstanceOfAny(StateWriteException.class, InterruptedException.class);
        if (caller.failure() instanceof StateWriteException) {
            assertThat(caller.failure()).hasMessage("Failed to send action state to Kafka");
        }

        assertThat(tested.textOf(KEY)).contains("old");
        assertThat(service.find(KEY)).contains(old.receipt());
        assertThat(tested.foldedLog.states()).isEqualTo(1);
    }

    @Test
    void thatIsInterruptedLeavesTheFlagSet() throws Exception {
        service.put(KEY, document("old"));
        assertThat(tested.fails(Fault.FLUSH_IS_INTERRUPTED, () -> service.delete(KEY))
                        .wasLeftInterrupted())
                .isTrue();
        assertThat(tested.fails(Fault.WAIT_IS_INTERRUPTED, () -> service.delete(KEY))
                        .wasLeftInterrupted())
                .isTrue();
    }

    @Test
    void doesNotHideAPutThatTheLogHasBehindIt() throws Exception {
        service.put(KEY, document("old"));
        Caller<Boolean> deletion = tested.waitsInVain(() -> service.delete(KEY));
        Caller<PutResult> put = tested.waitsInVain(() -> service.put(KEY, document("new")));
        log.producer().answerAll();

        assertThat(deletion.result()).isTrue();
        put.result();
        assertThat(tested.textOf(KEY)).contains("new");
    }

    @Test
    void failsUnsentWhenTheEndOfTheLogCannotBeReached() {
        log.beforeCatchUp(() -> {
            throw new NotServingException(Reason.KAFKA_UNAVAILABLE, "The end of the log could not be reached");
        });
        assertThatThrownBy(() -> service.delete(KEY))
                .isInstanceOf(StateWriteException.class)
                .hasRootCauseInstanceOf(NotServingException.class);
        assertThat(log.steps()).isEmpty();
    }
}
