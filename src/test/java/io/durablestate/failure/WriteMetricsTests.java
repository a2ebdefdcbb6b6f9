package io.durablestate.failure;

import static io.durablestate.failure.FailedWrites.TIMINGS;
import static io.durablestate.failure.FailedWrites.known;
import static io.durablestate.failure.FailedWrites.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.state.FailedWrite;
import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.Operation;
import io.durablestate.state.Reach;
import io.durablestate.state.Revision;
import io.durablestate.state.StateKey;
import io.durablestate.state.WriteIdentity;
import io.durablestate.state.WritePhase;
import io.durablestate.state.WriteTimings;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class WriteMetricsTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WriteMetrics metrics = new WriteMetrics(registry);

    private Timer timer(String operation, String phase, String outcome) {
        return registry.get("durable.state.write")
                .tags("operation", operation, "phase", phase, "outcome", outcome)
                .timer();
    }

    private double failures(String operation, String problem) {
        return registry.get("durable.state.failures")
                .tags("operation", operation, "problem", problem)
                .counter()
                .count();
    }

    private static void assertTook(Timer timer, long count, double millis) {
        assertThat(timer.count()).isEqualTo(count);
        assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(millis);
    }

    @Test
    void timeEveryPhaseOfAWriteThatWasAcknowledged() {
        metrics.acknowledged(Operation.PUT, WriteIdentity.of(FailedWrites.KEY, "w-1"), new Revision(0, 1), TIMINGS);
        metrics.acknowledged(Operation.PUT, WriteIdentity.of(FailedWrites.KEY, "w-2"), new Revision(0, 1), TIMINGS);
        metrics.acknowledged(Operation.DELETE, WriteIdentity.of(FailedWrites.KEY, "w-3"), new Revision(0, 1), TIMINGS);

        assertTook(timer("put", "send", "acknowledged"), 2, 2);
        assertTook(timer("put", "flush", "acknowledged"), 2, 40);
        assertTook(timer("put", "acknowledgement", "acknowledged"), 2, 600);
        assertTook(timer("put", "total", "acknowledged"), 2, 642);
        assertTook(timer("delete", "total", "acknowledged"), 1, 321);
        assertThat(registry.find("durable.state.failures").counters()).isEmpty();
    }

    @Test
    void timeAFailureByWhatIsKnownOfItAndCountItByItsProblem() {
        metrics.failed(unknown("w-1"));
        metrics.failed(known("w-2"));
        metrics.failed(known("w-3"));

        assertTook(timer("put", "acknowledgement", "unknown"), 1, 300);
        assertTook(timer("put", "total", "not-persisted"), 2, 642);
        assertThat(failures("put", "ack-timeout")).isEqualTo(1);
        assertThat(failures("put", "state-too-large")).isEqualTo(2);
    }

    @Test
    void timeOnlyThePhasesThatWereBegun() {
        WriteTimings stopped = new WriteTimings(Duration.ofMillis(10), null, null, Duration.ofMillis(10));
        metrics.failed(new FailedWrite(
                Operation.PRUNE,
                FailedWrites.KEY.key(),
                FailedWrites.KEY,
                3,
                null,
                "w-1",
                WritePhase.SEND,
                Reach.NEVER_BUFFERED,
                stopped,
                new TimeoutException("No metadata")));

        assertThat(registry.find("durable.state.write").timers())
                .extracting(timer -> timer.getId().getTag("phase"))
                .containsExactlyInAnyOrder("send", "total");
        assertThat(failures("prune", "kafka-unavailable")).isEqualTo(1);
    }

    @Test
    void countWhatWasRefusedAndTimeNothing() {
        metrics.refused(Operation.PUT, Reason.OVERLOADED);
        metrics.refused(Operation.PUT, Reason.RECOVERING);
        metrics.refused(Operation.DELETE, Reason.RECOVERING);

        assertThat(failures("put", "overloaded")).isEqualTo(1);
        assertThat(failures("put", "recovering")).isEqualTo(1);
        assertThat(failures("delete", "recovering")).isEqualTo(1);
        assertThat(registry.find("durable.state.write").timers()).isEmpty();
    }

    @Test
    void haveNoKeyAndNoMessageInAnyTag() {
        StateKey key = StateKey.of("secret-key", 123_456, "secret-action", "secret-event");
        metrics.begun(WriteIdentity.of(key, "secret-write"));
        metrics.acknowledged(Operation.PUT, WriteIdentity.of(key, "secret-write"), new Revision(0, 1), TIMINGS);
        metrics.failed(new FailedWrite(
                Operation.PUT,
                key.key(),
                key,
                3,
                17L,
                "secret-write",
                WritePhase.ACKNOWLEDGEMENT,
                Reach.UNKNOWN,
                TIMINGS,
                new TimeoutException("secret message")));
        metrics.refused(Operation.PUT, Reason.OVERLOADED);

        List<Meter> meters = registry.getMeters();
        assertThat(meters).isNotEmpty();
        Set<String> names = meters.stream()
                .flatMap(meter -> meter.getId().getTags().stream())
                .map(Tag::getKey)
                .collect(Collectors.toSet());
        assertThat(names).containsExactlyInAnyOrder("operation", "phase", "outcome", "problem");
        assertThat(meters)
                .allSatisfy(meter -> assertThat(meter.getId().toString()).doesNotContain("secret", "123456"));
    }
}
