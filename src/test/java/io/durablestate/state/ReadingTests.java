package io.durablestate.state;

import static io.durablestate.state.ServiceUnderTest.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.durablestate.state.NotServingException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ReadingTests {

    private static final StateKey KEY = StateKey.of("order-42", 7, "charge-card");

    private final ServiceUnderTest tested = new ServiceUnderTest();
    private final ServiceUnderTest withoutCache = new ServiceUnderTest("0B");

    @Test
    void findsNothingWhereNothingIs() throws InterruptedException {
        assertThat(tested.service.read(KEY)).isEmpty();
        assertThat(tested.log.bodyReads()).isZero();
    }

    @Test
    void takesTheBodyFromMemory() throws InterruptedException {
        StateDocument document = document("charged");
        PutResult put = tested.service.put(KEY, document);

        StoredState read = tested.service.read(KEY).orElseThrow();
        assertThat(read.body()).isSameAs(document.body());
        assertThat(read.receipt()).isEqualTo(put.receipt());
        assertThat(tested.log.bodyReads()).isZero();
    }

    @Test
    void takesABodyThatIsNotInMemoryFromTheLog() throws InterruptedException {
        tested.service.put(KEY, document("charged"));
        tested.foldedLog.cache().clear();

        assertThat(tested.textOf(KEY)).contains("charged");
        assertThat(tested.log.bodyReads()).isEqualTo(1);
        assertThat(tested.textOf(KEY)).contains("charged");
        assertThat(tested.log.bodyReads()).as("kept in memory from then on").isEqualTo(1);
    }

    @Test
    void neverLosesAStateToASmallCache() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            withoutCache.service.put(StateKey.of("order-" + i, 7, "charge-card"), document("charged " + i));
        }
        for (int i = 0; i < 50; i++) {
            assertThat(withoutCache.textOf(StateKey.of("order-" + i, 7, "charge-card")))
                    .contains("charged " + i);
        }
    }

    @Test
    void looksAgainWhenTheBodyHasBeenReplacedMeanwhile() throws InterruptedException {
        tested.service.put(KEY, document("old"));
        tested.foldedLog.cache().clear();
        tested.log.beforeRead(() -> {
            tested.log.beforeRead(() -> {});
            tested.log.putElsewhere(KEY, document("new"));
            tested.log.compact();
        });

        assertThat(tested.textOf(KEY)).contains("new");
    }

    @Test
    void findsNothingWhenTheStateHasBeenDeletedMeanwhile() throws InterruptedException {
        tested.service.put(KEY, document("old"));
        tested.foldedLog.cache().clear();
        tested.log.beforeRead(() -> {
            tested.log.beforeRead(() -> {});
            tested.log.deleteElsewhere(KEY);
            tested.log.compact();
        });

        assertThat(tested.service.read(KEY)).isEmpty();
    }

    @Test
    void doesNotTakeABodyThatTheIndexDoesNotName() throws InterruptedException {
        tested.service.put(KEY, document("mine"));
        tested.log.putElsewhere(KEY, document("elsewhere"));
        assertThat(tested.textOf(KEY)).contains("mine");

        tested.log.foldAll();
        tested.foldedLog.cache().clear();
        assertThat(tested.textOf(KEY)).contains("elsewhere");
    }

    @Test
    void givesUpWhenTheLogAndTheIndexDoNotAgree() throws InterruptedException {
        withoutCache.service.put(KEY, document("lost"));
        withoutCache.foldedLog.cache().clear();
        withoutCache.log.loseEverything();
        assertThatIllegalStateException()
                .isThrownBy(() -> withoutCache.service.read(KEY))
                .withMessageContaining("no body where the index says");
    }

    @Test
    void saysSoWhenTheLogDoesNotAnswer() throws InterruptedException {
        tested.service.put(KEY, document("charged"));
        tested.foldedLog.cache().clear();
        tested.log.beforeRead(() -> {
            throw new NotServingException(Reason.KAFKA_UNAVAILABLE, "Kafka did not hand out the state");
        });

        assertThatThrownBy(() -> tested.service.read(KEY)).isInstanceOf(NotServingException.class);
        assertThat(tested.service.find(KEY)).as("what needs no bytes").isPresent();
    }
}
