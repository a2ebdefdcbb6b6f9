package io.durablestate.state;

import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** The state log: where writes go and bodies come from. */
public interface StateLog {

    /** The partition that everything about a key lives in. Only while the log has been opened. */
    int partitionOf(String key);

    /** How many partitions there are. Only while the log has been opened. */
    int partitions();

    /** Takes the lane of a partition for one write, until {@link Lane#release}. Only while the log has been opened. */
    Lane laneOf(int partition);

    /**
     * The record that writes a state, or deletes it.
     *
     * @param document what to store, null to delete
     * @param terms what must hold for it to take effect
     */
    ProducerRecord<byte[], byte[]> recordOf(
            int partition, StateKey key, @Nullable StateDocument document, Terms terms, String writeId);

    /** The record that restores a state. */
    ProducerRecord<byte[], byte[]> restoreOf(int partition, StateKey key, Restore restore);

    /**
     * The record that claims a key.
     *
     * @param claim what it says, null to forget the key's attempt
     */
    ProducerRecord<byte[], byte[]> claimOf(
            int partition, String key, ClaimRecord.@Nullable Claim claim, String writeId);

    /**
     * Reads a body back. Blocks until Kafka answers, at most {@code durable-state.limits.log-read-timeout}.
     *
     * @return empty when the body of this version does not lie where it lay, because compaction took it away after something
     *     newer, or because the topic is another one now
     * @throws NotServingException when Kafka does not answer in time, or too many reads are under way
     */
    Optional<byte[]> read(StateKey key, StateVersion version) throws InterruptedException;

    /**
     * Waits until this instance has folded all that a partition had when asked: every write that any instance had
     * acknowledged before. Blocks, at most {@code durable-state.limits.log-read-timeout}.
     *
     * @throws NotServingException when that takes longer
     */
    void catchUp(int partition) throws InterruptedException;
}
