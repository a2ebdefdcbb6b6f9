package io.durablestate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the service. A name that is not listed here is refused at start, and so is a value out of range;
 * whatever concerns Kafka itself is set under {@code spring.kafka}.
 *
 * @param topic name of the state log
 * @param partitions partitions of the state log when the service creates it, 1 to 10,000; never changed afterwards
 * @param replicationFactor copies of each partition when the service creates the state log; three, or the number of
 *     brokers if there are fewer, when not set
 * @param minInsyncReplicas copies that must have a record before it is acknowledged, when the service creates the state
 *     log; two with three or more copies, otherwise one, when not set
 * @param producerLanes producers that writes are spread over; one for each partition when not set
 * @param maxStateSize largest body of a state that is accepted, 1 byte to 64 MB
 * @param instanceId name of this instance in records, failures and status; made up at each start when not set
 * @param cache the attempt cache
 * @param failures the list of failed writes
 * @param attempts attempts and their claims
 * @param events the stream of events
 * @param faults writes that behave badly on demand
 * @param limits what may be under way at one time
 * @param embedded the broker that is started when {@code spring.kafka.bootstrap-servers} is not set
 */
@ConfigurationProperties(prefix = "durable-state", ignoreUnknownFields = false)
public record DurableStateProperties(
        @DefaultValue("durable-state") String topic,
        @DefaultValue("4") int partitions,
        @Nullable Short replicationFactor,
        @Nullable Integer minInsyncReplicas,
        @Nullable Integer producerLanes,
        @DefaultValue("1MB") DataSize maxStateSize,
        @Nullable String instanceId,
        @DefaultValue Cache cache,
        @DefaultValue Failures failures,
        @DefaultValue Attempts attempts,
        @DefaultValue Events events,
        @DefaultValue Faults faults,
        @DefaultValue Limits limits,
        @DefaultValue Embedded embedded) {

    public DurableStateProperties {
        require(topic.matches("[a-zA-Z0-9._-]{1,249}"), "topic", topic, "1 to 249 of a-z A-Z 0-9 . _ -");
        require(partitions >= 1 && partitions <= 10_000, "partitions", partitions, "1 to 10000");
        require(
                replicationFactor == null || replicationFactor >= 1,
                "replication-factor",
                replicationFactor,
                "1 or more");
        require(
                minInsyncReplicas == null || minInsyncReplicas >= 1,
                "min-insync-replicas",
                minInsyncReplicas,
                "1 or more");
        require(producerLanes == null || producerLanes >= 1, "producer-lanes", producerLanes, "1 or more");
        require(
                maxStateSize.toBytes() >= 1
                        && maxStateSize.toBytes() <= DataSize.ofMegabytes(64).toBytes(),
                "max-state-size",
                maxStateSize,
                "1B to 64MB");
        if (instanceId == null || instanceId.isBlank()) {
            instanceId = "ds-" + UUID.randomUUID().toString().substring(0, 8);
        }
        require(
                instanceId.matches("[\\x21-\\x7e]{1,128}"),
                "instance-id",
                instanceId,
                "1 to 128 visible ASCII characters");
    }

    /** Name of this instance, never absent. */
    @Override
    public String instanceId() {
        return Objects.requireNonNull(instanceId);
    }

    /**
     * The attempt cache.
     *
     * @param maxBytes bodies kept in memory; those beyond it are read back from the log
     */
    public record Cache(@DefaultValue("256MB") DataSize maxBytes) {
        public Cache {
            require(maxBytes.toBytes() >= 0, "cache.max-bytes", maxBytes, "0 or more");
        }
    }

    /**
     * The list of failed writes.
     *
     * @param capacity failures kept, the newest ones, 1 to 100,000
     * @param settleAfter how long after a failure of unknown outcome the end of the log is taken; when the log has been
     *     read that far without meeting the write, it was not persisted
     */
    public record Failures(
            @DefaultValue("1000") int capacity,
            @DefaultValue("60s") Duration settleAfter) {
        public Failures {
            require(capacity >= 1 && capacity <= 100_000, "failures.capacity", capacity, "1 to 100000");
            require(settleAfter.toMillis() >= 1, "failures.settle-after", settleAfter, "1ms or more");
        }
    }

    /**
     * Attempts and their claims.
     *
     * @param retention how long a closed attempt is remembered
     */
    public record Attempts(@DefaultValue("7d") Duration retention) {
        public Attempts {
            require(retention.toMillis() >= 1, "attempts.retention", retention, "1ms or more");
        }
    }

    /**
     * The stream of events.
     *
     * @param buffer events kept for those who listen slowly, or come back, 100 to 1,000,000
     * @param subscribers most who listen at one time, 1 to 10,000
     * @param heartbeat how long a stream may be silent before a comment is sent
     */
    public record Events(
            @DefaultValue("10000") int buffer,
            @DefaultValue("100") int subscribers,
            @DefaultValue("15s") Duration heartbeat) {
        public Events {
            require(buffer >= 100 && buffer <= 1_000_000, "events.buffer", buffer, "100 to 1000000");
            require(subscribers >= 1 && subscribers <= 10_000, "events.subscribers", subscribers, "1 to 10000");
            require(heartbeat.toMillis() >= 100, "events.heartbeat", heartbeat, "100ms or more");
        }
    }

    /**
     * Writes that behave badly on demand, for tests of clients; on the embedded broker only.
     *
     * @param enabled whether they can be asked for
     */
    public record Faults(@DefaultValue("false") boolean enabled) {}

    /**
     * What may be under way at one time; anything beyond is answered at once with {@code overloaded}.
     *
     * @param writes writes waiting for Kafka, all lanes together, 1 to 100,000
     * @param uploads bodies that are being sent, 1 to 10,000; one more waits for two seconds
     * @param logReads reads waiting for a body from the log, 1 to 10,000
     * @param logReadTimeout how long one such read may take, and how long a write waits for the log's verdict on its terms
     * @param batchSize largest body of a batch, 1 KB to 256 MB
     */
    public record Limits(
            @DefaultValue("512") int writes,
            @DefaultValue("100") int uploads,
            @DefaultValue("64") int logReads,
            @DefaultValue("10s") Duration logReadTimeout,
            @DefaultValue("16MB") DataSize batchSize) {
        public Limits {
            require(writes >= 1 && writes <= 100_000, "limits.writes", writes, "1 to 100000");
            require(uploads >= 1 && uploads <= 10_000, "limits.uploads", uploads, "1 to 10000");
            require(logReads >= 1 && logReads <= 10_000, "limits.log-reads", logReads, "1 to 10000");
            require(logReadTimeout.toMillis() >= 1, "limits.log-read-timeout", logReadTimeout, "1ms or more");
            require(
                    batchSize.toKilobytes() >= 1 && batchSize.toMegabytes() <= 256,
                    "limits.batch-size",
                    batchSize,
                    "1KB to 256MB");
        }
    }

    /**
     * The broker inside this process.
     *
     * @param directory where it keeps its data; survives restarts, used by one process at a time
     * @param port the port it listens on, on loopback; 0 for a free one
     * @param fsync whether every record is forced to disk before it is acknowledged
     */
    public record Embedded(
            @DefaultValue("./data") Path directory,
            @DefaultValue("0") int port,
            @DefaultValue("true") boolean fsync) {
        public Embedded {
            require(port >= 0 && port <= 65_535, "embedded.port", port, "0 to 65535");
        }
    }

    private static void require(boolean holds, String name, @Nullable Object value, String allowed) {
        if (!holds) {
            throw new IllegalArgumentException("durable-state.%s is %s; allowed: %s".formatted(name, value, allowed));
        }
    }
}
