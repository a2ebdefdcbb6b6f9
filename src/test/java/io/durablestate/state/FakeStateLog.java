package io.durablestate.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.RecordBatch;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.kafka.support.SendResult;

/**
 * A state log in memory. Writes go through a real template to a {@link ScriptedProducer}; what is acknowledged lies in the
 * log; the reader folds it when somebody waits for it to catch up, and not before.
 */
final class FakeStateLog implements StateLog {

    static final int PARTITIONS = 2;

    /** What the producer says of the time of a record. */
    private static final long TIMESTAMP = RecordBatch.NO_TIMESTAMP;

    private static final String TOPIC = "durable-state";

    /** What was written, and what it is once it has its place. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Written(Object identity, byte @Nullable [] body, BiFunction<Integer, Long, LogRecord> at) {}

    private final List<String> steps = ScriptedProducer.steps();
    private final Map<String, Written> writtenByName = new ConcurrentHashMap<>();
    private final List<NavigableMap<Long, Written>> partitions = new ArrayList<>();
    private final AtomicLong names = new AtomicLong();
    private final FoldedLog foldedLog;
    private final ScriptedProducer producer = new ScriptedProducer(TOPIC, PARTITIONS, steps, this::append);
    private final ScriptedLane lane = new ScriptedLane();
    private final AtomicLong bodyReads = new AtomicLong();
    private volatile Runnable beforeCatchUp = () -> {};
    private volatile Runnable beforeRead = () -> {};
    private volatile Runnable afterAcknowledgement = () -> {};

    FakeStateLog(FoldedLog foldedLog) {
        this.foldedLog = foldedLog;
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.add(new ConcurrentSkipListMap<>());
        }
    }

    ScriptedProducer producer() {
        return producer;
    }

    ScriptedLane lane() {
        return lane;
    }

    /** What happened, in order: send, flush, wait. */
    List<String> steps() {
        return List.copyOf(steps);
    }

    /** Runs on the writing thread when it has been given its acknowledgement, before it goes on. */
    void afterAcknowledgement(Runnable hold) {
        afterAcknowledgement = hold;
    }

    /** Runs when somebody waits for the reader to catch up, before it does. */
    void beforeCatchUp(Runnable event) {
        beforeCatchUp = event;
    }

    /** Runs when a body is asked for, before it is looked up. */
    void beforeRead(Runnable event) {
        beforeRead = event;
    }

    long bodyReads() {
        return bodyReads.get();
    }

    /** Another instance writes; this one only learns of it from the log. */
    void putElsewhere(StateKey key, StateDocument document) {
        writeElsewhere(key, document);
    }

    /** Another instance deletes; this one only learns of it from the log. */
    void deleteElsewhere(StateKey key) {
        writeElsewhere(key, null);
    }

    private void writeElsewhere(StateKey key, @Nullable StateDocument document) {
        write(recordOf(partitionOf(key.key()), key, document, Terms.NONE, "elsewhere-" + writtenByName.size()));
    }

    /** Another instance writes something that has terms. */
    void putElsewhere(StateKey key, StateDocument document, Terms terms) {
        write(recordOf(partitionOf(key.key()), key, document, terms, terms.writeId()));
    }

    /** Another instance claims a key. */
    void claimElsewhere(String key, String worker) {
        ClaimRecord.Claim claim = new ClaimRecord.Claim(worker, false, 1, null, null);
        write(claimOf(partitionOf(key), key, claim, "elsewhere-" + writtenByName.size()));
    }

    private void write(ProducerRecord<byte[], byte[]> record) {
        Future<RecordMetadata> written = producer.send(record, (metadata, failure) -> {});
        producer.answerAll();
        assertThat(written).isDone();
    }

    /** Drops every record that has a newer one of its key behind it. */
    void compact() {
        for (NavigableMap<Long, Written> partition : partitions) {
            partition
                    .entrySet()
                    .removeIf(entry -> partition.tailMap(entry.getKey(), false).values().stream()
                            .anyMatch(later ->
                                    later.identity().equals(entry.getValue().identity())));
        }
    }

    void loseEverything() {
        partitions.forEach(NavigableMap::clear);
    }

    /** Folds all that there is, as the reader does. */
    void foldAll() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            foldPartition(partition);
        }
    }

    private synchronized void foldPartition(int partition) {
        partitions
                .get(partition)
                .tailMap(foldedLog.position(partition))
                .forEach((offset, written) ->
                        foldedLog.fold(partition, written.at().apply(partition, offset), written.body()));
    }

    private void append(ProducerRecord<byte[], byte[]> record, RecordMetadata metadata) {
        Header name = record.headers().lastHeader("name");
        partitions
                .get(metadata.partition())
                .put(metadata.offset(), writtenByName.get(new String(name.value(), StandardCharsets.UTF_8)));
    }

    @Override
    public int partitionOf(String key) {
        return Math.floorMod(key.hashCode(), PARTITIONS);
    }

    @Override
    public Lane laneOf(int partition) {
        lane.taken.incrementAndGet();
        return lane;
    }

    @Override
    public int partitions() {
        return PARTITIONS;
    }

    @Override
    public ProducerRecord<byte[], byte[]> recordOf(
            int partition, StateKey key, @Nullable StateDocument document, Terms terms, String writeId) {
        return record(partition, key, document == null ? null : document.body(), (p, offset) -> {
            FoldedState content = document == null
                    ? new Deletion(offset, TIMESTAMP)
                    : new StateVersion(
                            p,
                            offset,
                            offset,
                            TIMESTAMP,
                            document.body().length,
                            document.completed(),
                            terms.attempt(),
                            document.contentType(),
                            writeId,
                            document.expectWithin());
            return new StateRecord(key, content, writeId, terms.attempt(), terms.ifRevision(), null);
        });
    }

    @Override
    public ProducerRecord<byte[], byte[]> restoreOf(int partition, StateKey key, Restore restore) {
        return record(partition, key, restore.body(), (p, offset) -> {
            StateVersion version = restore.version();
            FoldedState content = version == null
                    ? new Deletion(offset, TIMESTAMP)
                    : new StateVersion(
                            p,
                            version.writtenAt(),
                            offset,
                            version.timestamp(),
                            version.size(),
                            version.completed(),
                            version.attempt(),
                            version.contentType(),
                            version.writeId(),
                            version.expectWithin());
            return new StateRecord(key, content, restore.writeId(), null, null, restore.asOf());
        });
    }

    @Override
    public ProducerRecord<byte[], byte[]> claimOf(
            int partition, String key, ClaimRecord.@Nullable Claim claim, String writeId) {
        return record(partition, key, null, (p, offset) -> new ClaimRecord(key, offset, TIMESTAMP, writeId, claim));
    }

    private ProducerRecord<byte[], byte[]> record(
            int partition, Object identity, byte @Nullable [] body, BiFunction<Integer, Long, LogRecord> at) {
        String name = "record-" + names.incrementAndGet();
        writtenByName.put(name, new Written(identity, body, at));
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(TOPIC, partition, utf8(identity.toString()), body);
        record.headers().add("name", utf8(name));
        return record;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Optional<byte[]> read(StateKey key, StateVersion version) {
        beforeRead.run();
        bodyReads.incrementAndGet();
        return Optional.ofNullable(partitions.get(version.partition()).get(version.offset()))
                .map(Written::body);
    }

    @Override
    public void catchUp(int partition) {
        beforeCatchUp.run();
        foldPartition(partition);
    }

    /** The one lane, and what its test says of it. */
    final class ScriptedLane implements Lane {

        private final KafkaTemplate<byte[], byte[]> template = new WatchedTemplate();
        private final AtomicLong retries = new AtomicLong();
        private final AtomicInteger taken = new AtomicInteger();
        private final List<Throwable> failures = new CopyOnWriteArrayList<>();
        private volatile boolean unbuffered;

        /** The producer has asked a broker again. */
        void retry() {
            retries.incrementAndGet();
        }

        /** Sends that fail end before the producer's buffer. */
        void rejectUnbuffered() {
            unbuffered = true;
        }

        /** The failures it was told of. */
        List<Throwable> failures() {
            return failures;
        }

        @Override
        public KafkaOperations<byte[], byte[]> kafkaTemplate() {
            return template;
        }

        @Override
        public long retries() {
            return retries.get();
        }

        @Override
        public boolean wasRejectedUnbuffered(ProducerRecord<byte[], byte[]> record) {
            return unbuffered;
        }

        @Override
        public void failed(Throwable cause) {
            failures.add(cause);
        }

        @Override
        public void release() {
            assertThat(taken.decrementAndGet()).as("writes that hold the lane").isNotNegative();
        }

        /** Writes that have taken the lane and not released it. */
        int taken() {
            return taken.get();
        }
    }

    /** A template whose futures take note of being waited on. */
    private final class WatchedTemplate extends KafkaTemplate<byte[], byte[]> {

        private WatchedTemplate() {
            super(new DefaultKafkaProducerFactory<>(Map.of()) {
                @Override
                protected Producer<byte[], byte[]> createKafkaProducer() {
                    return producer;
                }
            });
            setProducerListener(new ProducerListener<>() {}); // the usual one logs every failure
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the watched one ends in the same way
        public CompletableFuture<SendResult<byte[], byte[]>> send(ProducerRecord<byte[], byte[]> record) {
            WatchedFuture watched = new WatchedFuture();
            super.send(record).whenComplete((result, failure) -> {
                if (failure == null) {
                    watched.complete(result);
                } else {
                    watched.completeExceptionally(failure);
                }
            });
            return watched;
        }
    }

    private final class WatchedFuture extends CompletableFuture<SendResult<byte[], byte[]>> {

        @Override
        public SendResult<byte[], byte[]> get() throws InterruptedException, ExecutionException {
            steps.add("wait");
            SendResult<byte[], byte[]> result = super.get();
            afterAcknowledgement.run();
            return result;
        }
    }
}
