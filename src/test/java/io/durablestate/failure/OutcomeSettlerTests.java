package io.durablestate.failure;

import static io.durablestate.failure.FailedWrites.KEY;
import static io.durablestate.failure.FailedWrites.TIMINGS;
import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.log.ClusterSnapshot;
import io.durablestate.log.ClusterSnapshot.PartitionSnapshot;
import io.durablestate.state.MovableClock;
import io.durablestate.state.Operation;
import io.durablestate.state.Revision;
import io.durablestate.state.Settings;
import io.durablestate.state.WriteIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutcomeSettlerTests {

    private static final Duration SETTLE_AFTER = Duration.ofSeconds(60);
    private static final int PARTITION = 3;

    private final MovableClock clock = new MovableClock(Instant.parse("2026-01-31T12:00:00Z"));
    private final FailureJournal journal = new FailureJournal(Settings.with("failures.capacity", "1000"), clock);
    private final FakeLog log = new FakeLog();
    private final OutcomeSettler settler = new OutcomeSettler(SETTLE_AFTER, journal, log, clock);

    /** Partitions that answer or not, read up to their end or not. */
    private static final class FakeLog implements OutcomeSettler.Log {
        private List<Integer> replicas = List.of(1);
        private boolean answers = true;
        private long position = 10;
        private long end = 10;

        @Override
        public ClusterSnapshot cluster() {
            Long answer = answers ? end : null;
            List<PartitionSnapshot> partitions = IntStream.rangeClosed(0, PARTITION)
                    .mapToObj(i -> new PartitionSnapshot(i, 1, replicas, replicas, answer, answer))
                    .toList();
            return new ClusterSnapshot(Instant.EPOCH, null, partitions, Map.of());
        }

        @Override
        public long position(int partition) {
            return position;
        }

        @Override
        public long endOffset(int partition) {
            return end;
        }
    }

    private void fails() {
        journal.begun(WriteIdentity.of(KEY, "w-1"));
        journal.failed(FailedWrites.unknown("w-1"));
        settler.settle();
    }

    private void passes(Duration time) {
        clock.advance(time);
        settler.settle();
    }

    private Outcome outcome() {
        return journal.newestFirst().get(0).outcome();
    }

    @Test
    void whatTheLogDoesNotHaveAfterTheWaitingTimeWasNotPersisted() {
        fails();
        passes(SETTLE_AFTER.minusMillis(1));
        assertThat(outcome()).isEqualTo(Outcome.UNKNOWN);

        passes(Duration.ofMillis(1));

        assertThat(outcome()).isEqualTo(Outcome.NOT_PERSISTED);
    }

    @Test
    void nothingIsSettledBeforeTheReaderIsAtTheEnd() {
        log.end = 11;
        fails();
        passes(SETTLE_AFTER);
        assertThat(outcome()).isEqualTo(Outcome.UNKNOWN);

        log.position = 11;
        settler.settle();

        assertThat(outcome()).isEqualTo(Outcome.NOT_PERSISTED);
    }

    @Test
    void aSilenceOfTheLeaderStartsTheWaitingTimeAnew() {
        fails();
        passes(SETTLE_AFTER.minusSeconds(1));
        log.answers = false;
        passes(Duration.ofSeconds(1));
        log.answers = true;
        passes(Duration.ofSeconds(1));
        passes(SETTLE_AFTER.minusSeconds(1));
        assertThat(outcome()).isEqualTo(Outcome.UNKNOWN);

        passes(Duration.ofSeconds(1));

        assertThat(outcome()).isEqualTo(Outcome.NOT_PERSISTED);
    }

    @Test
    void whereReplicasCanHideARecordOnlyALaterAcknowledgedWriteSettles() {
        log.replicas = List.of(1, 2, 3);
        fails();
        acknowledged(9, Duration.ZERO);
        passes(SETTLE_AFTER);
        passes(Duration.ofMinutes(5));
        assertThat(outcome()).isEqualTo(Outcome.UNKNOWN);

        acknowledged(10, TIMINGS.total());
        settler.settle();
        assertThat(outcome()).as("not read yet").isEqualTo(Outcome.UNKNOWN);
        log.position = 11;
        settler.settle();

        assertThat(outcome()).isEqualTo(Outcome.NOT_PERSISTED);
    }

    @Test
    void aWriteThatBeganBeforeTheWaitingTimeWasOverSettlesNothing() {
        log.replicas = List.of(1, 2, 3);
        log.position = 20;
        fails();
        passes(SETTLE_AFTER);

        acknowledged(16, TIMINGS.total().minusMillis(1));
        settler.settle();

        assertThat(outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    /** Acknowledged some time from now; it was begun as long before as writes take here. */
    private void acknowledged(long offset, Duration fromNow) {
        clock.advance(fromNow);
        settler.acknowledged(Operation.PUT, WriteIdentity.of(KEY, "w-later"), new Revision(PARTITION, offset), TIMINGS);
    }

    @Test
    void whatCouldNotBeSettledWithinHalfOfTheCompactionLagStaysUnknown() {
        log.end = 11;
        fails();
        passes(Duration.ofMinutes(31));
        log.position = 11;

        settler.settle();

        assertThat(outcome()).isEqualTo(Outcome.UNKNOWN);
    }
}
