package io.durablestate.state;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer that does what its test says. Unless told otherwise, a flush has everything acknowledged that was sent before,
 * and nothing is acknowledged without a flush.
 */
final class ScriptedProducer extends MockProducer<byte[], byte[]> {

    private final List<String> steps;
    private final BiConsumer<ProducerRecord<byte[], byte[]>, RecordMetadata> log;
    private final Deque<ProducerRecord<byte[], byte[]>> open = new ArrayDeque<>();
    private volatile Runnable flush = this::answerAll;
    private volatile Function<ProducerRecord<byte[], byte[]>, Optional<ApiException>> rejectsOnSend =
            record -> Optional.empty();
    private volatile Function<ProducerRecord<byte[], byte[]>, Optional<RuntimeException>> rejectsOnAnswer =
            record -> Optional.empty();
    private volatile Runnable beforeAnswer = () -> {};
    private volatile boolean withoutOffset;

    /**
     * @param steps takes note of every send and flush
     * @param log takes every record that is acknowledged
     */
    ScriptedProducer(
            String topic,
            int partitions,
            List<String> steps,
            BiConsumer<ProducerRecord<byte[], byte[]>, RecordMetadata> log) {
        super(cluster(topic, partitions), false, null, new ByteArraySerializer(), new ByteArraySerializer());
        this.steps = steps;
        this.log = log;
    }

    private static Cluster cluster(String topic, int partitions) {
        List<PartitionInfo> infos = IntStream.range(0, partitions)
                .mapToObj(partition -> new PartitionInfo(topic, partition, null, new Node[0], new Node[0]))
                .toList();
        return new Cluster("test", List.of(), infos, Set.of(), Set.of());
    }

    /** As Kafka's producer does with a failure of its own API: the callback is told, and the future has failed already. */
    void rejectOnSend(Function<ProducerRecord<byte[], byte[]>, Optional<ApiException>> rejection) {
        rejectsOnSend = rejection;
    }

    /** The broker's word on a record, when it is not an acknowledgement. */
    void rejectOnAnswer(Function<ProducerRecord<byte[], byte[]>, Optional<RuntimeException>> rejection) {
        rejectsOnAnswer = rejection;
    }

    /** Every flush returns normally and at once, with nothing answered. */
    void flushInVain() {
        flush = () -> {};
    }

    /** Every flush blocks as Kafka's does, until it is interrupted. */
    void flushForever() {
        flush = () -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new InterruptException("Flush interrupted.", e);
            }
        };
    }

    void failFlushWith(RuntimeException failure) {
        flush = () -> {
            throw failure;
        };
    }

    void flushAsUsual() {
        flush = this::answerAll;
    }

    /** Runs once a flush was asked for, before anything is answered. */
    void beforeAnswer(Runnable look) {
        beforeAnswer = look;
    }

    /** The broker answers everything that is open. */
    synchronized void answerAll() {
        beforeAnswer.run();
        while (!open.isEmpty()) {
            answerNext();
        }
    }

    /** The broker answers the oldest of what is open. */
    synchronized void answerNext() {
        Optional<RuntimeException> rejection = rejectsOnAnswer.apply(requireNonNull(open.poll()));
        if (rejection.isPresent()) {
            errorNext(rejection.get());
        } else {
            completeNext();
        }
    }

    /** As when the broker has a record already and does not remember where. */
    void acknowledgeWithoutOffset() {
        withoutOffset = true;
    }

    private static RecordMetadata withoutOffset(RecordMetadata metadata) {
        return new RecordMetadata(new TopicPartition(metadata.topic(), metadata.partition()), -1, 0, -1, 0, 0);
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        steps.add("send");
        Optional<ApiException> rejection = rejectsOnSend.apply(record);
        if (rejection.isPresent()) {
            callback.onCompletion(null, rejection.get());
            return CompletableFuture.failedFuture(rejection.get());
        }
        Future<RecordMetadata> future = super.send(record, (metadata, failure) -> {
            if (failure == null) {
                log.accept(record, metadata);
            }
            callback.onCompletion(withoutOffset && metadata != null ? withoutOffset(metadata) : metadata, failure);
        });
        open.add(record);
        return future;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // a flush that blocks must not keep others from sending
    public void flush() {
        steps.add("flush");
        flush.run();
    }

    static List<String> steps() {
        return Collections.synchronizedList(new ArrayList<>());
    }
}
