package io.durablestate.trend;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happened in the seconds before a moment.
 *
 * @param time the moment
 * @param writesPerSecond writes that were acknowledged, of every operation
 * @param failuresPerSecond writes that were not, by problem; a problem that did not come up is absent
 * @param readerLag offsets that the reader had left to read, or null when Kafka did not say
 * @param putMillis how long acknowledged puts took, by phase; empty when there were none
 */
public record Sample(
        Instant time,
        double writesPerSecond,
        Map<String, Double> failuresPerSecond,
        @Nullable Long readerLag,
        Map<String, Quantiles> putMillis) {

    /** Half of the puts, and 99 of 100, took no longer than this, in milliseconds. */
    public record Quantiles(double p50, double p99) {}
}
