package io.durablestate.state;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import org.springframework.stereotype.Component;

/** Measures what the instance holds. */
@Component
final class StateMetrics implements MeterBinder {

    private final FoldedLog foldedLog;
    private final Clock clock;

    StateMetrics(FoldedLog foldedLog, Clock clock) {
        this.foldedLog = foldedLog;
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("durable.state.states", foldedLog, FoldedLog::states)
                .description("States that are there")
                .register(registry);
        Gauge.builder("durable.state.hidden", foldedLog, FoldedLog::hiddenStates)
                .description("States that a void record hides from compaction, to be restored")
                .register(registry);
        Gauge.builder(
                        "durable.state.overdue",
                        foldedLog,
                        log -> log.overdue(clock.instant()).size())
                .description("Keys whose next write is overdue")
                .register(registry);
        Gauge.builder("durable.state.cache.bodies", foldedLog, FoldedLog::cachedBodies)
                .description("Bodies in the attempt cache")
                .register(registry);
        Gauge.builder("durable.state.cache.size", foldedLog, FoldedLog::cachedBytes)
                .description("Heap that the attempt cache uses")
                .baseUnit("bytes")
                .register(registry);
        FunctionCounter.builder(
                        "durable.state.cache.hits",
                        foldedLog,
                        log -> log.cacheStats().hitCount())
                .description("Bodies found in the attempt cache")
                .register(registry);
        FunctionCounter.builder(
                        "durable.state.cache.misses",
                        foldedLog,
                        log -> log.cacheStats().missCount())
                .description("Bodies that had to be read back from the log")
                .register(registry);
    }
}
