package io.durablestate.failure;

import io.durablestate.state.FailedWrite;
import io.durablestate.state.NotServingException;
import io.durablestate.state.Operation;
import io.durablestate.state.Revision;
import io.durablestate.state.WriteIdentity;
import io.durablestate.state.WriteListener;
import io.durablestate.state.WriteTimings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Measures writes: how long each phase takes by outcome, and how many fail of which problem. No key is in any tag. */
@Component
final class WriteMetrics implements WriteListener {

    private static final String ACKNOWLEDGED = "acknowledged";

    private record TimerId(Operation operation, String phase, String outcome) {}

    private final MeterRegistry registry;
    private final ConcurrentMap<TimerId, Timer> timers = new ConcurrentHashMap<>();

    WriteMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void acknowledged(Operation operation, WriteIdentity write, Revision at, WriteTimings timings) {
        record(operation, timings, ACKNOWLEDGED);
    }

    @Override
    public void failed(FailedWrite failure) {
        Diagnosis diagnosis = Diagnosis.of(failure);
        record(failure.operation(), failure.timings(), diagnosis.outcome().word());
        count(failure.operation(), diagnosis.problem());
    }

    @Override
    public void refused(Operation operation, NotServingException.Reason reason) {
        count(operation, Diagnosis.of(reason));
    }

    private void record(Operation operation, WriteTimings timings, String outcome) {
        record(operation, "send", outcome, timings.send());
        record(operation, "flush", outcome, timings.flush());
        record(operation, "acknowledgement", outcome, timings.acknowledgement());
        record(operation, "total", outcome, timings.total());
    }

    private void record(Operation operation, String phase, String outcome, @Nullable Duration duration) {
        if (duration != null) {
            timers.computeIfAbsent(new TimerId(operation, phase, outcome), this::timer)
                    .record(duration);
        }
    }

    private Timer timer(TimerId id) {
        return Timer.builder("durable.state.write")
                .description("Time that a write took, by phase")
                .tag("operation", id.operation().word())
                .tag("phase", id.phase())
                .tag("outcome", id.outcome())
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofNanos(100_000))
                .maximumExpectedValue(Duration.ofSeconds(60))
                .register(registry);
    }

    private void count(Operation operation, Problem problem) {
        Counter.builder("durable.state.failures")
                .description("Writes that were not acknowledged")
                .tag("operation", operation.word())
                .tag("problem", problem.slug())
                .register(registry)
                .increment();
    }
}
