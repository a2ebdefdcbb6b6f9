package io.durablestate.event;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Measures who listens. */
@Component
final class EventMetrics implements MeterBinder {

    private final EventLog events;

    EventMetrics(EventLog events) {
        this.events = events;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("durable.state.events.subscribers", events, EventLog::subscribers)
                .description("Streams of events that are open")
                .register(registry);
    }
}
