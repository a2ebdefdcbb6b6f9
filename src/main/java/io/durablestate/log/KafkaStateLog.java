package io.durablestate.log;

import io.durablestate.DurableStateProperties;
import io.durablestate.state.ClaimRecord;
import io.durablestate.state.FoldedLog;
import io.durablestate.state.Lane;
import io.durablestate.state.NotServingException;
import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.Restore;
import io.durablestate.state.StateDocument;
import io.durablestate.state.StateKey;
import io.durablestate.state.StateLog;
import io.durablestate.state.StateVersion;
import io.durablestate.state.Terms;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** The state log on Kafka. */
@Component
public final class KafkaStateLog implements StateLog, SmartLifecycle {

    /** Enough to bring a usual state along; a larger record is fetched whole all the same. */
    private static final int LOOKUP_FETCH_BYTES = 16 * 1024;

    /** A fetch that finds nothing comes back at once, so that it does not hold up the next lookup. */
    private static final Map<String, Object> LOOKUP_SETTINGS = Map.of(
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            LOOKUP_FETCH_BYTES,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            1);

    private final String topic;
    private final Duration timeout;
    private final Lanes lanes;
    private final FoldedLog foldedLog;
    private final RecordCodec codec;
    private final BodyReader bodies;
    private final LazyAdmin admin;
    private volatile boolean running;

    KafkaStateLog(
            DurableStateProperties properties,
            KafkaClients clients,
            Lanes lanes,
            RecordCodec codec,
            FoldedLog foldedLog) {
        this.topic = properties.topic();
        this.timeout = properties.limits().logReadTimeout();
        this.lanes = lanes;
        this.foldedLog = foldedLog;
        this.codec = codec;
        this.bodies = new BodyReader(topic, properties.limits(), () -> clients.consumer("lookup", LOOKUP_SETTINGS));
        this.admin = new LazyAdmin(() -> clients.admin("offsets", TopicSetup.ADMIN_SETTINGS));
    }

    @Override
    public int partitionOf(String key) {
        return partitionOf(key, lanes.partitions());
    }

    static int partitionOf(String key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8))) % partitions;
    }

    @Override
    public int partitions() {
        return lanes.partitions();
    }

    @Override
    public Lane laneOf(int partition) {
        return lanes.of(partition).take();
    }

    @Override
    public ProducerRecord<byte[], byte[]> recordOf(
            int partition, StateKey key, @Nullable StateDocument document, Terms terms, String writeId) {
        return codec.encode(partition, key, document, terms, writeId);
    }

    @Override
    public ProducerRecord<byte[], byte[]> restoreOf(int partition, StateKey key, Restore restore) {
        return codec.encode(partition, key, restore);
    }

    @Override
    public ProducerRecord<byte[], byte[]> claimOf(
            int partition, String key, ClaimRecord.@Nullable Claim claim, String writeId) {
        return codec.encode(partition, key, claim, writeId);
    }

    @Override
    public Optional<byte[]> read(StateKey key, StateVersion version) throws InterruptedException {
        return bodies.read(version.partition(), version.offset())
                .filter(record -> codec.isOf(record, key, version.writeId()))
                .map(ConsumerRecord::value);
    }

    @Override
    public void catchUp(int partition) throws InterruptedException {
        long start = System.nanoTime();
        long end = endOffset(partition);
        Duration left = timeout.minusNanos(System.nanoTime() - start);
        if (!foldedLog.awaitPosition(partition, end, left)) {
            throw silent(null);
        }
    }

    /**
     * Offset of the next record of a partition, asked from its leader. Blocks, at most the timeout.
     *
     * @throws NotServingException when the leader does not answer in time
     */
    public long endOffset(int partition) throws InterruptedException {
        TopicPartition topicPartition = new TopicPartition(topic, partition);
        try {
            return admin.get()
                    .listOffsets(Map.of(topicPartition, OffsetSpec.latest()), new ListOffsetsOptions().timeoutMs((int)
                                    timeout.toMillis()))
                    .partitionResult(topicPartition)
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .offset();
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw silent(Causes.unwrap(e));
        }
    }

    private NotServingException silent(@Nullable Throwable cause) {
        return new NotServingException(
                Reason.KAFKA_UNAVAILABLE,
                "The end of the log could not be reached within %s".formatted(timeout),
                cause);
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        bodies.close();
        admin.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Phases.LOOKUPS;
    }
}
