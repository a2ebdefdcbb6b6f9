package io.durablestate.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.durablestate.failure.Problem;
import io.durablestate.state.MovableClock;
import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.Operation;
import io.durablestate.state.Revision;
import io.durablestate.state.StateKey;
import io.durablestate.state.WriteIdentity;
import io.durablestate.state.WriteTimings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TrendTests {

    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final WriteIdentity WRITE = WriteIdentity.of(StateKey.of("order-42", 7, "charge-card"), "w-1");

    private final MovableClock clock = new MovableClock(NOON);
    private final Trend trend = new Trend(clock, OptionalLong::empty);

    private void acknowledge(Operation operation, int totalMillis) {
        WriteTimings timings = new WriteTimings(
                Duration.ofMillis(1),
                Duration.ofMillis(totalMillis - 1),
                Duration.ZERO,
                Duration.ofMillis(totalMillis));
        trend.acknowledged(operation, WRITE, new Revision(0, 1), timings);
    }

    private Sample sample() {
        clock.advance(Duration.ofSeconds(5));
        trend.sample();
        List<Sample> samples = trend.samples(null);
        return samples.get(samples.size() - 1);
    }

    @Test
    void countsWhatWasAcknowledgedSinceTheLastSample() {
        for (int i = 0; i < 10; i++) {
            acknowledge(i % 2 == 0 ? Operation.PUT : Operation.BATCH, 3);
        }
        assertThat(sample().writesPerSecond()).isEqualTo(2.0);
        assertThat(sample().writesPerSecond()).isZero();
    }

    @Test
    void countsFailuresByProblem() {
        trend.refused(Operation.PUT, Reason.OVERLOADED);
        trend.refused(Operation.PUT, Reason.OVERLOADED);
        trend.refused(Operation.CLAIM, Reason.RECOVERING);
        assertThat(sample().failuresPerSecond())
                .hasSize(2)
                .containsEntry(Problem.OVERLOADED.slug(), 0.4)
                .containsEntry(Problem.RECOVERING.slug(), 0.2);
        assertThat(sample().failuresPerSecond()).isEmpty();
    }

    @Test
    void showsHowLongThePhasesOfAPutTook() {
        for (int i = 0; i < 98; i++) {
            acknowledge(Operation.PUT, 4);
        }
        acknowledge(Operation.PUT, 200);
        acknowledge(Operation.PUT, 200);
        acknowledge(Operation.BATCH, 5_000);

        Sample sample = sample();
        assertThat(sample.putMillis()).containsOnlyKeys("send", "flush", "total");
        assertThat(sample.putMillis().get("total").p50()).isCloseTo(4, within(0.5));
        assertThat(sample.putMillis().get("total").p99()).isCloseTo(200, within(10.0));
    }

    @Test
    void saysThatKafkaDoesNotSayHowFarBehindTheReaderIs() {
        assertThat(sample().readerLag()).isNull();
    }

    @Test
    void keepsFifteenMinutes() {
        for (int i = 0; i < 200; i++) {
            sample();
        }
        List<Sample> samples = trend.samples(null);
        assertThat(samples).hasSize(180);
        assertThat(Duration.between(samples.get(0).time(), clock.instant())).isEqualTo(Duration.ofSeconds(895));
        assertThat(trend.samples(clock.instant().minusSeconds(10))).hasSize(2);
    }
}
