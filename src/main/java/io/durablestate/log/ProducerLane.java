package io.durablestate.log;

import io.durablestate.state.Lane;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.ProducerListener;

/**
 * A lane: a {@link KafkaTemplate} on a producer of its own, which is replaced when it has become unusable, or makes batches of
 * the wrong size.
 */
final class ProducerLane implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ProducerLane.class);

    private static final String METRICS = "producer-metrics";

    private final String name;
    private final IntSupplier batchSize;
    private final IntFunction<ProducerFactory<byte[], byte[]>> factories;
    private volatile Attached attached;
    private boolean retired;

    /**
     * @param batchSize largest batch of records that a producer is to make, in bytes, as it is now
     * @param factories makes the factory of one producer, by that size
     */
    ProducerLane(String name, IntSupplier batchSize, IntFunction<ProducerFactory<byte[], byte[]>> factories) {
        this.name = name;
        this.batchSize = batchSize;
        this.factories = factories;
        this.attached = new Attached(batchSize.getAsInt());
    }

    /** The lane with the producer that it has now, for one write, which stays with it from its first step to its last. */
    synchronized Lane take() {
        if (attached.batchSize != batchSize.getAsInt()) {
            replace(attached);
        }
        attached.writes++;
        return attached;
    }

    /** Whether the producer has a connection to any broker now. */
    boolean isConnected() {
        return attached.connections() > 0;
    }

    private synchronized void replace(Attached worn) {
        if (attached.equals(worn)) {
            log.info("Lane {} goes on with a new producer", name);
            attached = new Attached(batchSize.getAsInt());
            closeWhenUnused(worn);
        }
    }

    private synchronized void released(Attached by) {
        by.writes--;
        if (retired || !attached.equals(by)) {
            closeWhenUnused(by);
        }
    }

    private void closeWhenUnused(Attached worn) {
        if (worn.writes == 0) {
            Thread closer = new Thread(worn::close, "close-" + name);
            closer.setDaemon(true);
            closer.start();
        }
    }

    /** No more writes come; the producer is closed when those under way have ended. Does not block. */
    synchronized void retire() {
        retired = true;
        closeWhenUnused(attached);
    }

    private static boolean leavesProducerUnusable(@Nullable Throwable cause) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (t instanceof OutOfOrderSequenceException
                    || t instanceof UnknownProducerIdException
                    || t instanceof InvalidProducerEpochException
                    || t instanceof ProducerFencedException
                    || t instanceof AuthorizationException
                    || t instanceof AuthenticationException
                    || t instanceof UnsupportedVersionException
                    || t.getClass() == KafkaException.class) {
                return true;
            }
        }
        return false;
    }

    /** Waits for what is under way, as long as the producer factory is set to. */
    @Override
    public void close() {
        attached.close();
    }

    /** One producer with its template; its metrics are looked up once, when it exists. */
    private final class Attached implements Lane {

        private final int batchSize;
        private final ProducerFactory<byte[], byte[]> factory;
        private final KafkaTemplate<byte[], byte[]> template;

        @SuppressWarnings("ThreadLocalUsage") // one a producer, and producers are few
        private final ThreadLocal<ProducerRecord<byte[], byte[]>> rejectedHere = new ThreadLocal<>();

        /** Writes under way; guarded by the lane. */
        private int writes;

        private volatile @Nullable Metric retries;
        private volatile @Nullable Metric connections;

        private Attached(int batchSize) {
            this.batchSize = batchSize;
            this.factory = factories.apply(batchSize);
            this.template = new KafkaTemplate<>(factory);
            this.template.setProducerListener(new ProducerListener<>() {
                /** Runs on the sending thread only when the record was rejected before it entered the buffer. */
                @Override
                public void onError(
                        ProducerRecord<byte[], byte[]> record, @Nullable RecordMetadata metadata, Exception exception) {
                    rejectedHere.set(record);
                }
            });
        }

        @Override
        public KafkaOperations<byte[], byte[]> kafkaTemplate() {
            return template;
        }

        @Override
        public long retries() {
            retries = retries == null ? metric("record-retry-total") : retries;
            return value(retries);
        }

        private long connections() {
            connections = connections == null ? metric("connection-count") : connections;
            return value(connections);
        }

        private @Nullable Metric metric(String metric) {
            for (Map.Entry<MetricName, ? extends Metric> entry :
                    template.metrics().entrySet()) {
                if (entry.getKey().name().equals(metric)
                        && entry.getKey().group().equals(METRICS)) {
                    return entry.getValue();
                }
            }
            return null;
        }

        private static long value(@Nullable Metric metric) {
            return metric != null && metric.metricValue() instanceof Number number ? number.longValue() : 0;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // this very record
        public boolean wasRejectedUnbuffered(ProducerRecord<byte[], byte[]> record) {
            boolean rejected = rejectedHere.get() == record;
            rejectedHere.remove();
            return rejected;
        }

        @Override
        public void failed(Throwable cause) {
            if (leavesProducerUnusable(cause)) {
                replace(this);
            }
        }

        @Override
        public void release() {
            released(this);
        }

        private void close() {
            if (factory instanceof DefaultKafkaProducerFactory<byte[], byte[]> closeable) {
                closeable.destroy();
            }
        }
    }
}
