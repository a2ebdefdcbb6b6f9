package io.durablestate.log;

import io.durablestate.log.ClusterSnapshot.PartitionSnapshot;
import io.durablestate.log.LogStatus.Progress;
import io.durablestate.state.FoldedLog;
import io.durablestate.state.LogRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over the log: a replay of all partitions up to the end that they had when it began, then record by record as they
 * come. Used by one thread, but for {@link #wakeUp}.
 */
final class LogFollower implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LogFollower.class);

    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration REPORT_PERIOD = Duration.ofSeconds(2);
    private static final Duration FORGET_PERIOD = Duration.ofMinutes(1);

    /** A replay that ends later than this after the end was captured takes the end anew and goes on. */
    private static final Duration END_AGE = Duration.ofMillis(TopicSettings.MIN_COMPACTION_LAG_MS / 4);

    /** Older records take effect unjudged during a replay; leaves them time to be restored, and the reader to see it. */
    private static final Duration TRUST_AGE = Duration.ofMillis(TopicSettings.MIN_COMPACTION_LAG_MS * 3 / 4);

    private static final Map<String, Object> SETTINGS = Map.of(
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 * 1024 * 1024,
            ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);

    private final StateTopic topic;
    private final LogStatus status;
    private final ClusterProbe probe;
    private final FoldedLog foldedLog;
    private final RecordCodec codec;
    private final Clock clock;
    private final List<TopicPartition> partitions;
    private final Consumer<byte @Nullable [], byte @Nullable []> consumer;
    private long records;

    LogFollower(
            StateTopic topic,
            KafkaClients clients,
            LogStatus status,
            ClusterProbe probe,
            FoldedLog foldedLog,
            RecordCodec codec,
            Clock clock) {
        this.topic = topic;
        this.status = status;
        this.probe = probe;
        this.foldedLog = foldedLog;
        this.codec = codec;
        this.clock = clock;
        this.partitions = IntStream.range(0, topic.partitions())
                .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                .toList();
        this.consumer = clients.consumer("reader", SETTINGS);
    }

    /** Reads everything up to the end that the partitions have now; the instance is ready afterwards. */
    void replay(Admin admin) throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        status.recovering(topic.id());
        foldedLog.startReplay(partitions.size());
        Map<TopicPartition, Long> beginnings = offsets(admin, OffsetSpec.earliest());
        consumer.assign(partitions);
        beginnings.forEach((partition, offset) -> {
            consumer.seek(partition, offset);
            foldedLog.passed(partition.partition(), offset);
        });
        long first = sum(beginnings);
        long capturedAt;
        do {
            capturedAt = System.nanoTime();
            readTo(offsets(admin, OffsetSpec.latest()), first, start);
        } while (System.nanoTime() - capturedAt > END_AGE.toNanos());
        foldedLog.endReplay();
        status.ready();
        long took = Duration.ofNanos(System.nanoTime() - start).toMillis();
        log.info("Replayed the state log: {} records, {} states, {} ms", records, foldedLog.states(), took);
    }

    private void readTo(Map<TopicPartition, Long> ends, long first, long start) {
        long total = sum(ends) - first;
        long reported = System.nanoTime();
        long left = left(ends);
        while (left > 0) {
            foldedLog.trustRecordsBefore(clock.instant().minus(TRUST_AGE).toEpochMilli());
            foldAll(consumer.poll(POLL));
            requireSameTopic();
            left = left(ends);
            Progress progress = progress(total - left, total, start);
            status.progressed(progress);
            if (System.nanoTime() - reported > REPORT_PERIOD.toNanos()) {
                reported = System.nanoTime();
                log.info(
                        "Replaying the state log: {} records, {} %, {} s left",
                        records, progress.percent(), secondsLeft(progress));
            }
        }
        status.progressed(progress(total, total, start));
    }

    private Progress progress(long done, long total, long start) {
        return new Progress(records, done, total, Duration.ofNanos(System.nanoTime() - start));
    }

    private static long sum(Map<TopicPartition, Long> offsets) {
        return offsets.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String secondsLeft(Progress progress) {
        Duration left = progress.left();
        return left == null ? "?" : Long.toString(left.toSeconds());
    }

    private Map<TopicPartition, Long> offsets(Admin admin, OffsetSpec spec)
            throws InterruptedException, ExecutionException {
        return admin
                .listOffsets(partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> spec)))
                .all()
                .get()
                .entrySet()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> offset(e.getValue())));
    }

    private static long offset(ListOffsetsResult.ListOffsetsResultInfo info) {
        return info.offset();
    }

    private long left(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream()
                .mapToLong(end -> Math.max(
                        0, end.getValue() - foldedLog.position(end.getKey().partition())))
                .sum();
    }

    /** Folds what is written from here on; returns only by an exception. */
    void follow() {
        Freshness freshness = new Freshness(partitions.size());
        long forgotAt = System.nanoTime();
        while (true) {
            foldAll(consumer.poll(POLL));
            ClusterSnapshot snapshot = requireSameTopic();
            freshness.check(snapshot, foldedLog);
            if (System.nanoTime() - forgotAt > FORGET_PERIOD.toNanos()) {
                forgotAt = System.nanoTime();
                foldedLog.forgetDeletionsBefore(clock.instant()
                        .minusMillis(2 * TopicSettings.MIN_COMPACTION_LAG_MS)
                        .toEpochMilli());
            }
        }
    }

    private void foldAll(ConsumerRecords<byte @Nullable [], byte @Nullable []> polled) {
        for (ConsumerRecord<byte @Nullable [], byte @Nullable []> record : polled) {
            records++;
            try {
                fold(record);
            } catch (NotUnderstoodException e) {
                status.skip(record.partition(), record.offset(), Instant.ofEpochMilli(record.timestamp()), e.reason());
            }
        }
        // Positions of the consumer, not offsets of records: the last ones may be markers that nobody is shown.
        polled.nextOffsets().forEach((partition, next) -> foldedLog.passed(partition.partition(), next.offset()));
    }

    private void fold(ConsumerRecord<byte @Nullable [], byte @Nullable []> record) throws NotUnderstoodException {
        LogRecord understood = decode(record);
        String key = understood.businessKey();
        int home = KafkaStateLog.partitionOf(key, partitions.size());
        if (home != record.partition()) {
            if (record.value() == null) {
                throw new NotUnderstoodException("it deletes something in a partition that is not its key's");
            }
            throw new TopicRefusedException(
                    ("The topic %s has %d partitions, but the record at %d-%d of the key \"%s\" belongs into partition %d: the"
                                    + " number of partitions was changed, or something else writes to the topic. Copy the states"
                                    + " into a new topic")
                            .formatted(
                                    topic.name(), partitions.size(), record.partition(), record.offset(), key, home));
        }
        foldedLog.fold(record.partition(), understood, record.value());
    }

    /** Whatever a record is, it does not stop the reader. */
    private LogRecord decode(ConsumerRecord<byte @Nullable [], byte @Nullable []> record)
            throws NotUnderstoodException {
        try {
            return codec.decode(record);
        } catch (RuntimeException e) {
            log.error("The record at {}-{} could not be decoded", record.partition(), record.offset(), e);
            throw new NotUnderstoodException("it could not be decoded: " + e);
        }
    }

    /**
     * What Kafka says of the topic now, null when it does not answer.
     *
     * @throws LogShiftedException when the topic is not the one that was opened
     */
    private @Nullable ClusterSnapshot requireSameTopic() {
        ClusterSnapshot snapshot = probe.latest().current();
        if (snapshot == null) {
            return null;
        }
        if (!topic.id().equals(snapshot.topicId())) {
            throw new LogShiftedException(
                    "the topic %s is not the one that was replayed any more".formatted(topic.name()));
        }
        if (snapshot.partitions().size() != topic.partitions()) {
            throw new LogShiftedException("the topic %s had %d partitions and has %d now"
                    .formatted(
                            topic.name(),
                            topic.partitions(),
                            snapshot.partitions().size()));
        }
        if (!snapshot.settings().isEmpty()) {
            TopicSettings.requireFit(topic.name(), snapshot.settings());
        }
        return snapshot;
    }

    /** Makes the other thread come back with an exception. */
    void wakeUp() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }

    /**
     * Notices when a partition could not be followed for too long: what was compacted meanwhile can hide what a restore was
     * made from, so only a replay knows the truth then.
     */
    private static final class Freshness {

        private static final long LIMIT_NANOS =
                Duration.ofMillis(TopicSettings.MIN_COMPACTION_LAG_MS / 2).toNanos();

        private final long[] caughtUpAt;

        private Freshness(int partitions) {
            caughtUpAt = new long[partitions];
            Arrays.fill(caughtUpAt, System.nanoTime());
        }

        private void check(@Nullable ClusterSnapshot snapshot, FoldedLog foldedLog) {
            long now = System.nanoTime();
            for (int partition = 0; partition < caughtUpAt.length; partition++) {
                if (snapshot != null && isCaughtUp(snapshot.partitions().get(partition), foldedLog)) {
                    caughtUpAt[partition] = now;
                } else if (now - caughtUpAt[partition] > LIMIT_NANOS) {
                    throw new LogShiftedException(
                            "partition %d could not be followed for half of the compaction lag".formatted(partition));
                }
            }
        }

        private static boolean isCaughtUp(PartitionSnapshot partition, FoldedLog foldedLog) {
            Long end = partition.endOffset();
            return end != null && foldedLog.position(partition.partition()) >= end;
        }
    }
}
