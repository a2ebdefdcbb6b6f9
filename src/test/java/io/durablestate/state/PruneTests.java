package io.durablestate.state;

import static io.durablestate.state.ServiceUnderTest.EVERYTHING;
import static io.durablestate.state.ServiceUnderTest.completed;
import static io.durablestate.state.ServiceUnderTest.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.durablestate.state.NotServingException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PruneTests {

    private static final StateKey CHARGED = StateKey.of("order-42", 1, "charge-card");
    private static final StateKey PACKED = StateKey.of("order-42", 2, "pack");
    private static final StateKey PACKED_PART = StateKey.of("order-42", 2, "pack", "part-1");
    private static final StateKey SENT = StateKey.of("order-42", 3, "send");
    private static final StateKey OTHER = StateKey.of("order-420", 1, "charge-card");

    private final ServiceUnderTest tested = new ServiceUnderTest();
    private final DurableStateService service = tested.service;
    private final FakeStateLog log = tested.log;

    @BeforeEach
    void someStates() throws InterruptedException {
        log.afterAcknowledgement(log::foldAll);
        service.put(CHARGED, completed("charged"));
        service.put(PACKED, completed("packed"));
        service.put(PACKED_PART, document("packing"));
        service.put(SENT, completed("sent"));
        service.put(OTHER, completed("charged"));
    }

    @AfterEach
    void everyPlaceIsGivenBack() {
        assertThat(tested.gate.placesTaken()).isZero();
    }

    @Test
    void deletesTheStatesOfAKeyUpToASequence() throws InterruptedException {
        assertThat(service.prune("order-42", 2, false, false)).isEqualTo(new PruneResult(3, 0));
        assertThat(tested.listed(EVERYTHING)).containsExactly(SENT, OTHER);
        log.foldAll();
        assertThat(tested.listed(EVERYTHING)).containsExactly(SENT, OTHER);
    }

    @Test
    void canLeaveStatesWhoseActionIsNotDone() throws InterruptedException {
        assertThat(service.prune("order-42", 2, true, false)).isEqualTo(new PruneResult(2, 0));
        assertThat(tested.listed(EVERYTHING)).containsExactly(PACKED_PART, SENT, OTHER);
    }

    @Test
    void canOnlyCount() throws InterruptedException {
        int sent = log.producer().history().size();
        assertThat(service.prune("order-42", 2, false, true)).isEqualTo(new PruneResult(3, 0));
        assertThat(service.prune("order-42", 2, true, true)).isEqualTo(new PruneResult(2, 0));
        assertThat(tested.listed(EVERYTHING)).hasSize(5);
        assertThat(log.producer().history()).hasSize(sent);
    }

    @Test
    void ofNothingDoesNothing() throws InterruptedException {
        int sent = log.producer().history().size();
        assertThat(service.prune("order-42", 0, false, false)).isEqualTo(new PruneResult(0, 0));
        assertThat(service.prune("order-4", Long.MAX_VALUE, false, false)).isEqualTo(new PruneResult(0, 0));
        assertThat(log.producer().history()).hasSize(sent);
    }

    @Test
    void takesWhatOnlyTheLogKnowsOf() throws InterruptedException {
        log.putElsewhere(StateKey.of("order-42", 0, "elsewhere"), document("elsewhere"));
        assertThat(service.prune("order-42", 0, false, false)).isEqualTo(new PruneResult(1, 0));
        log.foldAll();
        assertThat(service.find(StateKey.of("order-42", 0, "elsewhere"))).isEmpty();
    }

    @Test
    void goesOnWhenAPartIsRejectedByTheBroker() throws InterruptedException {
        log.producer()
                .rejectOnAnswer(record -> isOf(record, PACKED)
                        ? Optional.of(new NotEnoughReplicasException("1 of 2"))
                        : Optional.empty());

        assertThat(service.prune("order-42", 3, false, false)).isEqualTo(new PruneResult(3, 1));
        assertThat(tested.listed(EVERYTHING)).containsExactly(PACKED, OTHER);
        FailedWrite failure = tested.told.onlyFailure();
        assertThat(failure.operation()).isEqualTo(Operation.PRUNE);
        assertThat(failure.state()).isEqualTo(PACKED);
        assertThat(failure.phase()).isEqualTo(WritePhase.ACKNOWLEDGEMENT);
    }

    @Test
    void goesOnWhenAPartCannotBeSent() throws InterruptedException {
        log.producer()
                .rejectOnSend(record ->
                        isOf(record, CHARGED) ? Optional.of(new TimeoutException("No metadata")) : Optional.empty());

        assertThat(service.prune("order-42", 3, false, false)).isEqualTo(new PruneResult(3, 1));
        assertThat(tested.listed(EVERYTHING)).containsExactly(CHARGED, OTHER);
        assertThat(tested.told.onlyFailure().phase()).isEqualTo(WritePhase.SEND);
    }

    @Test
    void canBeRunAgainAfterAFailure() throws InterruptedException {
        log.producer().failFlushWith(new IllegalStateException("flush"));
        assertThat(service.prune("order-42", 3, false, false)).isEqualTo(new PruneResult(0, 4));
        assertThat(tested.listed(EVERYTHING)).hasSize(5);
        assertThat(tested.told.failed()).hasSize(4);

        log.producer().flushAsUsual();
        assertThat(service.prune("order-42", 3, false, false)).isEqualTo(new PruneResult(4, 0));
        assertThat(tested.listed(EVERYTHING)).containsExactly(OTHER);
    }

    @Test
    void sendsEverythingBeforeItWaitsForTheFirst() throws InterruptedException {
        int before = log.steps().size();
        service.prune("order-42", 2, false, false);
        assertThat(log.steps().subList(before, before + 5)).containsExactly("send", "send", "send", "flush", "wait");
    }

    @Test
    void thatIsInterruptedEndsWithTheFlagSetAndEveryPartAmongTheFailures() throws Exception {
        log.producer().flushForever();
        int before = log.steps().size();
        Caller<PruneResult> caller = Caller.calls(() -> service.prune("order-42", 3, false, false));
        await().atMost(Caller.PATIENCE).until(() -> log.steps().lastIndexOf("flush") >= before && caller.isWaiting());
        caller.interrupt();

        assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
        assertThat(caller.wasLeftInterrupted()).isTrue();
        assertThat(tested.told.failed())
                .extracting(FailedWrite::state)
                .containsExactly(CHARGED, PACKED, PACKED_PART, SENT);
        assertThat(tested.listed(EVERYTHING)).hasSize(5);
    }

    @Test
    void keepsWhatItHasDoneWhenKafkaGoesAwayInTheMiddle() throws InterruptedException {
        for (int i = 0; i < 501; i++) {
            service.put(StateKey.of("order-43", i, "step"), document("done"));
        }
        tested.gate.refuseWritesAfter(1, new NotServingException(Reason.KAFKA_UNAVAILABLE, "Kafka does not answer"));

        assertThat(service.prune("order-43", 1_000, false, false)).isEqualTo(new PruneResult(500, 1));
        assertThat(tested.listed(StateFilter.ofKey("order-43"))).containsExactly(StateKey.of("order-43", 500, "step"));
        assertThat(tested.told.onlyFailure().operation()).isEqualTo(Operation.PRUNE);
    }

    @Test
    void failsWhenKafkaIsAwayFromTheStart() {
        tested.gate.refuseWrites(new NotServingException(Reason.KAFKA_UNAVAILABLE, "Kafka does not answer"));
        assertThatThrownBy(() -> service.prune("order-42", 3, false, false)).isInstanceOf(StateWriteException.class);
        assertThat(tested.listed(EVERYTHING)).hasSize(5);
    }

    @Test
    void isRefusedWhenTooMuchIsUnderWay() {
        tested.gate.refuseWrites(new NotServingException(Reason.OVERLOADED, "Too much"));
        assertThatThrownBy(() -> service.prune("order-42", 3, false, false)).isInstanceOf(NotServingException.class);
        assertThat(tested.told.refused()).containsExactly(new ToldEvents.Refused(Operation.PRUNE, Reason.OVERLOADED));
        assertThat(tested.told.failed()).isEqualTo(List.of());
    }

    private static boolean isOf(ProducerRecord<byte[], byte[]> record, StateKey key) {
        return new String(record.key(), StandardCharsets.UTF_8).equals(key.toString());
    }
}
