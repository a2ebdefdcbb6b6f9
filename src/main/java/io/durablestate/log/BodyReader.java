package io.durablestate.log;

import io.durablestate.DurableStateProperties.Limits;
import io.durablestate.state.NotServingException;
import io.durablestate.state.NotServingException.Reason;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Reads single records back from the log, with a few consumers that take turns. Safe for use by any number of threads. */
final class BodyReader implements AutoCloseable {

    private static final int CONSUMERS = 4;
    private static final Duration POLL = Duration.ofMillis(100);

    private final String topic;
    private final Duration timeout;
    private final Supplier<Consumer<byte @Nullable [], byte @Nullable []>> factory;
    private final Semaphore places;
    private final Semaphore turns = new Semaphore(CONSUMERS, true);
    private final Deque<Consumer<byte @Nullable [], byte @Nullable []>> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    BodyReader(String topic, Limits limits, Supplier<Consumer<byte @Nullable [], byte @Nullable []>> factory) {
        this.topic = topic;
        this.timeout = limits.logReadTimeout();
        this.factory = factory;
        this.places = new Semaphore(limits.logReads());
    }

    /**
     * The record at an offset, if it has a value. Blocks until Kafka answers, at most the timeout.
     *
     * @return empty when there is no record any more, or one without value
     * @throws NotServingException when Kafka does not answer in time, or too many reads are under way
     */
    Optional<ConsumerRecord<byte @Nullable [], byte @Nullable []>> read(int partition, long offset)
            throws InterruptedException {
        if (!places.tryAcquire()) {
            throw new NotServingException(
                    Reason.OVERLOADED, "Too many states are being read from the log at this moment");
        }
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            if (!turns.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw silent(null);
            }
            try {
                return readWithConsumer(new TopicPartition(topic, partition), offset, deadline);
            } finally {
                turns.release();
            }
        } finally {
            places.release();
        }
    }

    private Optional<ConsumerRecord<byte @Nullable [], byte @Nullable []>> readWithConsumer(
            TopicPartition partition, long offset, long deadline) throws InterruptedException {
        Consumer<byte @Nullable [], byte @Nullable []> consumer = idle.pollFirst();
        boolean usable = false;
        try {
            if (consumer == null) {
                consumer = factory.get();
            }
            consumer.assign(List.of(partition));
            consumer.seek(partition, offset);
            Optional<ConsumerRecord<byte @Nullable [], byte @Nullable []>> record =
                    poll(consumer, partition, offset, deadline);
            usable = true;
            return record;
        } catch (OffsetOutOfRangeException e) {
            return Optional.empty();
        } catch (InterruptException e) {
            throw new InterruptedException(e.getMessage());
        } catch (KafkaException e) {
            throw silent(e);
        } finally {
            giveBack(consumer, usable);
        }
    }

    private Optional<ConsumerRecord<byte @Nullable [], byte @Nullable []>> poll(
            Consumer<byte @Nullable [], byte @Nullable []> consumer,
            TopicPartition partition,
            long offset,
            long deadline) {
        while (System.nanoTime() - deadline < 0) {
            ConsumerRecords<byte @Nullable [], byte @Nullable []> records = consumer.poll(POLL);
            for (ConsumerRecord<byte @Nullable [], byte @Nullable []> record : records.records(partition)) {
                return record.offset() == offset && record.value() != null ? Optional.of(record) : Optional.empty();
            }
            OffsetAndMetadata next = records.nextOffsets().get(partition);
            if (next != null && next.offset() > offset) {
                return Optional.empty();
            }
        }
        throw silent(null);
    }

    private void giveBack(@Nullable Consumer<byte @Nullable [], byte @Nullable []> consumer, boolean usable) {
        if (consumer == null) {
            return;
        }
        if (usable && !closed) {
            idle.addFirst(consumer);
        } else {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    private NotServingException silent(@Nullable KafkaException cause) {
        return new NotServingException(
                Reason.KAFKA_UNAVAILABLE, "Kafka did not hand out the state within %s".formatted(timeout), cause);
    }

    @Override
    public void close() {
        closed = true;
        for (Consumer<?, ?> consumer = idle.pollFirst(); consumer != null; consumer = idle.pollFirst()) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }
}
