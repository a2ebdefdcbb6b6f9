package io.durablestate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.durablestate.log.LogStatus.Phase;
import io.durablestate.log.LogStatus.Progress;
import io.durablestate.log.LogStatus.Skipped;
import io.durablestate.state.NotServingException;
import io.durablestate.state.NotServingException.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class LogStatusTests {

    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private final List<Object> events = new ArrayList<>();
    private final LogStatus status = new LogStatus(events::add);

    private void assertRefuses(Reason reason, String why) {
        assertThatExceptionOfType(NotServingException.class)
                .isThrownBy(status::requireReplayed)
                .withMessageContaining(why)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    void isNotReadyBeforeTheLogHasBeenReached() {
        assertThat(status.phase()).isEqualTo(Phase.STARTING);
        assertThat(status.obstacleKind()).isEqualTo(Reason.RECOVERING);
        assertThat(status.progress()).isNull();
        assertRefuses(Reason.RECOVERING, "has not been reached");
    }

    @Test
    void isNotReadyWhileTheLogIsReplayed() {
        status.recovering(Uuid.ZERO_UUID);
        assertThat(status.phase()).isEqualTo(Phase.RECOVERING);
        assertRefuses(Reason.RECOVERING, "is being replayed");
    }

    @Test
    void isReadyOnceTheLogHasBeenReplayed() {
        status.recovering(Uuid.ZERO_UUID);
        assertThat(events).isEmpty();
        status.ready();
        assertThat(events).containsExactly(new LogReplayed());
        assertThat(status.phase()).isEqualTo(Phase.READY);
        assertThat(status.obstacle()).isNull();
        assertThat(status.obstacleKind()).isNull();
        assertThatNoException().isThrownBy(status::requireReplayed);
    }

    @Test
    void saysWhatHindersItFromStarting() {
        status.hindered(Reason.KAFKA_REFUSED, "the topic deletes");
        assertThat(status.phase()).isEqualTo(Phase.STARTING);
        assertThat(status.obstacle()).isEqualTo("the topic deletes");
        assertRefuses(Reason.KAFKA_REFUSED, "the topic deletes");
    }

    @Test
    void isNotReadyAnyMoreWhenTheReaderCannotGoOn() {
        status.recovering(Uuid.ZERO_UUID);
        status.ready();
        status.hindered(Reason.KAFKA_UNAVAILABLE, "Kafka cannot be reached");
        assertThat(status.phase()).isEqualTo(Phase.RECOVERING);
        assertRefuses(Reason.KAFKA_UNAVAILABLE, "Kafka cannot be reached");
    }

    @Test
    void finishesWhatIsUnderWayWhileItStops() {
        status.recovering(Uuid.ZERO_UUID);
        status.ready();
        status.stopping();
        assertThat(status.phase()).isEqualTo(Phase.STOPPING);
        assertThatNoException().isThrownBy(status::requireReplayed);
    }

    @Test
    void remembersTheLastRecordsThatItSkippedNewestFirst() {
        for (int i = 0; i < 25; i++) {
            status.skip(3, i, NOON, "reason " + i);
        }
        assertThat(status.skipped()).isEqualTo(25);
        assertThat(status.lastSkipped())
                .hasSize(20)
                .startsWith(new Skipped(3, 24, NOON, "reason 24"))
                .endsWith(new Skipped(3, 5, NOON, "reason 5"));
    }

    @Test
    void countsSkippedRecordsAnewWithEachReplayAndAllOfThemForTheMetric() {
        status.skip(3, 1, NOON, "garbage");
        status.recovering(Uuid.ZERO_UUID);
        assertThat(status.skipped()).isZero();
        assertThat(status.lastSkipped()).isEmpty();
        status.skip(3, 1, NOON, "garbage");
        assertThat(status.skipped()).isEqualTo(1);
        assertThat(status.skippedSinceStart()).isEqualTo(2);
    }

    @Test
    void estimatesHowLongAReplayWillTake() {
        Progress quarter = new Progress(240, 250, 1_000, Duration.ofSeconds(10));
        status.progressed(quarter);
        assertThat(status.progress()).isEqualTo(quarter);
        assertThat(quarter.percent()).isEqualTo(25);
        assertThat(quarter.left()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void estimatesNothingFromNothing() {
        assertThat(new Progress(0, 0, 1_000, Duration.ofSeconds(1)).left()).isNull();
        assertThat(new Progress(0, 0, 1_000, Duration.ofSeconds(1)).percent()).isZero();
        assertThat(new Progress(0, 0, 0, Duration.ZERO).percent()).isEqualTo(100);
        assertThat(new Progress(10, 10, 10, Duration.ofSeconds(1)).left()).isZero();
    }

    @Test
    void estimatesForAVeryLongLog() {
        Progress half = new Progress(1, 500_000_000_000L, 1_000_000_000_000L, Duration.ofHours(24));
        assertThat(half.percent()).isEqualTo(50);
        assertThat(half.left()).isEqualTo(Duration.ofHours(24));
    }
}
