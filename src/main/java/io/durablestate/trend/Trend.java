package io.durablestate.trend;

import io.durablestate.failure.Diagnosis;
import io.durablestate.failure.Problem;
import io.durablestate.state.FailedWrite;
import io.durablestate.state.NotServingException;
import io.durablestate.state.Operation;
import io.durablestate.state.Revision;
import io.durablestate.state.WriteIdentity;
import io.durablestate.state.WriteListener;
import io.durablestate.state.WriteTimings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.annotation.Scheduled;

/** Samples of the last fifteen minutes, one every five seconds, in memory. Safe for use by any number of threads. */
public final class Trend implements WriteListener {

    private static final int KEPT = 180;

    /** How far a sample looks back for its quantiles; longer than one interval, so that slow traffic shows as well. */
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final Clock clock;
    private final Supplier<OptionalLong> readerLag;
    private final MeterRegistry windows = new SimpleMeterRegistry();
    private final Map<String, Timer> phases = new TreeMap<>();
    private final LongAdder writes = new LongAdder();
    private final ConcurrentMap<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final Deque<Sample> samples = new ArrayDeque<>();
    private Instant last;

    Trend(Clock clock, Supplier<OptionalLong> readerLag) {
        this.clock = clock;
        this.readerLag = readerLag;
        this.last = clock.instant();
        List.of("send", "flush", "acknowledgement", "total").forEach(phase -> phases.put(phase, window(phase)));
    }

    private Timer window(String phase) {
        return Timer.builder(phase)
                .publishPercentiles(0.5, 0.99)
                .distributionStatisticExpiry(WINDOW)
                .distributionStatisticBufferLength(2)
                .register(windows);
    }

    @Override
    public void acknowledged(Operation operation, WriteIdentity write, Revision at, WriteTimings timings) {
        writes.increment();
        if (operation == Operation.PUT) {
            record("send", timings.send());
            record("flush", timings.flush());
            record("acknowledgement", timings.acknowledgement());
            record("total", timings.total());
        }
    }

    private void record(String phase, @Nullable Duration duration) {
        Timer timer = phases.get(phase);
        if (duration != null && timer != null) {
            timer.record(duration);
        }
    }

    @Override
    public void failed(FailedWrite failure) {
        count(Diagnosis.of(failure).problem());
    }

    @Override
    public void refused(Operation operation, NotServingException.Reason reason) {
        count(Diagnosis.of(reason));
    }

    /** Two writers that met are no failure. */
    private void count(Problem problem) {
        if (problem != Problem.PRECONDITION_FAILED) {
            failures.computeIfAbsent(problem.slug(), slug -> new LongAdder()).increment();
        }
    }

    /** Takes a sample. */
    @Scheduled(fixedRateString = "PT5S", initialDelayString = "PT5S")
    synchronized void sample() {
        Instant now = clock.instant();
        double seconds = Math.max(1, Duration.between(last, now).toMillis()) / 1000.0;
        last = now;
        Map<String, Double> failuresPerSecond = new TreeMap<>();
        failures.forEach((problem, count) -> {
            long happened = count.sumThenReset();
            if (happened > 0) {
                failuresPerSecond.put(problem, happened / seconds);
            }
        });
        OptionalLong lag = readerLag.get();
        samples.addLast(new Sample(
                now,
                writes.sumThenReset() / seconds,
                failuresPerSecond,
                lag.isPresent() ? lag.getAsLong() : null,
                quantiles()));
        if (samples.size() > KEPT) {
            samples.removeFirst();
        }
    }

    private Map<String, Sample.Quantiles> quantiles() {
        Map<String, Sample.Quantiles> quantiles = new TreeMap<>();
        phases.forEach((phase, timer) -> {
            HistogramSnapshot snapshot = timer.takeSnapshot();
            ValueAtPercentile[] values = snapshot.percentileValues();
            if (values.length == 2 && values[1].value() > 0) {
                quantiles.put(
                        phase,
                        new Sample.Quantiles(
                                values[0].value(TimeUnit.MILLISECONDS), values[1].value(TimeUnit.MILLISECONDS)));
            }
        });
        return quantiles;
    }

    /**
     * The samples, oldest first.
     *
     * @param since those after this moment only, or null for all
     */
    public synchronized List<Sample> samples(@Nullable Instant since) {
        return samples.stream()
                .filter(sample -> since == null || sample.time().isAfter(since))
                .toList();
    }
}
