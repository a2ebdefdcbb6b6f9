package io.durablestate.log;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Measures the reader and the lanes. */
@Component
final class LogMetrics implements MeterBinder {

    private final ReaderLag readerLag;
    private final Lanes lanes;
    private final LogStatus status;

    LogMetrics(ReaderLag readerLag, Lanes lanes, LogStatus status) {
        this.readerLag = readerLag;
        this.lanes = lanes;
        this.status = status;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(
                        "durable.state.reader.lag",
                        readerLag,
                        lag -> lag.total().isPresent() ? lag.total().getAsLong() : Double.NaN)
                .description("Offsets between the reader and the end of the log, all partitions together")
                .register(registry);
        Gauge.builder("durable.state.lanes", lanes, Lanes::count)
                .description("Producers that writes are spread over")
                .register(registry);
        FunctionCounter.builder("durable.state.records.skipped", status, LogStatus::skippedSinceStart)
                .description("Records of the topic that are not of the state log")
                .register(registry);
    }
}
