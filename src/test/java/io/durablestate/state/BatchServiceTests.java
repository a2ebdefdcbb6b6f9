package io.durablestate.state;

import static io.durablestate.state.ServiceUnderTest.document;
import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.state.StateRecord.Expectation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BatchServiceTests {

    private static final StateKey CHARGED = StateKey.of("order-42", 1, "charge-card");
    private static final StateKey PACKED = StateKey.of("order-42", 2, "pack");
    private static final StateKey OTHER = StateKey.of("order-43", 1, "charge-card");

    private final ServiceUnderTest tested = new ServiceUnderTest();
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

    private static BatchWrite put(StateKey key, String text) {
        return new BatchWrite(key, document(text), Terms.NONE);
    }

    private static BatchWrite delete(StateKey key) {
        return new BatchWrite(key, null, Terms.NONE);
    }

    private List<String> write(BatchWrite... writes) {
        List<String> words = new ArrayList<>();
        for (BatchResult result : tested.batches.write(List.of(writes))) {
            words.add(
                    result instanceof BatchResult.Stored stored
                            ? stored.result().created() ? "created" : "replaced"
                            : result.getClass().getSimpleName());
        }
        return words;
    }

    @Test
    void storesAndDeletes() throws InterruptedException {
        assertThat(write(put(CHARGED, "charged"), put(PACKED, "packed"), put(OTHER, "charged")))
                .containsExactly("created", "created", "created");
        assertThat(write(put(CHARGED, "again"), delete(PACKED), delete(StateKey.of("nobody", 1, "x"))))
                .containsExactly("replaced", "Deleted", "Missing");
        assertThat(tested.textOf(CHARGED)).contains("again");
        assertThat(tested.service.find(PACKED)).isEmpty();
    }

    @Test
    void sendsEverythingBeforeItWaitsAndFlushesALaneOnce() {
        write(put(CHARGED, "charged"), put(PACKED, "packed"), put(OTHER, "charged"));
        assertThat(log.steps()).containsExactly("send", "send", "send", "flush", "wait", "wait", "wait");
    }

    @Test
    void writesOfOneStateTakeEffectInTheirOrder() throws InterruptedException {
        assertThat(write(put(CHARGED, "first"), put(CHARGED, "second"), delete(CHARGED), put(CHARGED, "third")))
                .containsExactly("created", "replaced", "Deleted", "created");
        assertThat(tested.textOf(CHARGED)).contains("third");
    }

    @Test
    void aWriteThatFailsLeavesTheOthersAlone() throws InterruptedException {
        log.producer()
                .rejectOnAnswer(record -> new String(record.key(), StandardCharsets.UTF_8).equals(PACKED.toString())
                        ? Optional.of(new NotEnoughReplicasException("1 of 2"))
                        : Optional.empty());
        assertThat(write(put(CHARGED, "charged"), put(PACKED, "packed"), put(OTHER, "charged")))
                .containsExactly("created", "Failed", "created");
        assertThat(tested.service.find(PACKED)).isEmpty();
        FailedWrite failure = tested.told.onlyFailure();
        assertThat(failure.operation()).isEqualTo(Operation.BATCH);
        assertThat(failure.state()).isEqualTo(PACKED);
    }

    @Test
    void aFlushThatFailsFailsEachOfItsWrites() {
        log.producer().failFlushWith(new IllegalStateException("flush"));
        assertThat(write(put(CHARGED, "charged"), put(PACKED, "packed"))).containsExactly("Failed", "Failed");
        assertThat(tested.told.failed()).extracting(FailedWrite::state).containsExactly(CHARGED, PACKED);
    }

    @Test
    void termsAreJudgedOneByOne() throws InterruptedException {
        Terms onlyIfNone = new Terms(new Expectation(null), null, null);
        tested.service.put(PACKED, document("packed"));
        assertThat(write(
                        new BatchWrite(CHARGED, document("charged"), onlyIfNone),
                        new BatchWrite(PACKED, document("void"), onlyIfNone),
                        new BatchWrite(CHARGED, document("void"), onlyIfNone)))
                .containsExactly("created", "Failed", "Failed");
        assertThat(tested.textOf(CHARGED)).contains("charged");
        assertThat(tested.textOf(PACKED)).contains("packed");
    }

    @Test
    void nobodyWaitsTwiceForAPartitionThatCannotBeReached() {
        AtomicInteger waits = new AtomicInteger();
        tested.gate.holdBack(waits::incrementAndGet);
        tested.gate.refuseWrites(
                new NotServingException(NotServingException.Reason.KAFKA_UNAVAILABLE, "Kafka is silent"));

        assertThat(write(put(CHARGED, "charged"), put(PACKED, "packed"), put(CHARGED, "again")))
                .containsOnly("Failed");
        assertThat(waits).hasValue(1);
        assertThat(tested.told.failed())
                .allSatisfy(failure -> assertThat(failure.reach()).isEqualTo(Reach.NOT_BEGUN))
                .extracting(FailedWrite::state)
                .containsExactly(CHARGED, PACKED, CHARGED);
        assertThat(log.steps()).isEmpty();
    }
}
