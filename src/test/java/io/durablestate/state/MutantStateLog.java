package io.durablestate.state;

import io.durablestate.state.NotServingException.Reason;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** The state log of a service that breaks one of its rules. */
final class MutantStateLog implements StateLog {

    /** The rule that is broken. */
    enum Mutation {
        SKIP_THE_VERDICT,
        SKIP_THE_RESTORE,
        SHOW_BEFORE_THE_ACKNOWLEDGEMENT
    }

    private final StateLog stateLog;
    private final FoldedLog foldedLog;
    private final Mutation mutation;

    MutantStateLog(StateLog stateLog, FoldedLog foldedLog, Mutation mutation) {
        this.stateLog = stateLog;
        this.foldedLog = foldedLog;
        this.mutation = mutation;
    }

    @Override
    public ProducerRecord<byte[], byte[]> recordOf(
            int partition, StateKey key, @Nullable StateDocument document, Terms terms, String writeId) {
        if (mutation == Mutation.SHOW_BEFORE_THE_ACKNOWLEDGEMENT && document != null) {
            show(partition, key, document, terms, writeId);
        }
        boolean isJudged = mutation != Mutation.SKIP_THE_VERDICT;
        return stateLog.recordOf(partition, key, document, isJudged ? terms : Terms.NONE, writeId);
    }

    private void show(int partition, StateKey key, StateDocument document, Terms terms, String writeId) {
        long next = foldedLog.position(partition);
        StateVersion version = new StateVersion(
                partition,
                next,
                next,
                System.currentTimeMillis(),
                document.body().length,
                document.completed(),
                terms.attempt(),
                document.contentType(),
                writeId,
                document.expectWithin());
        foldedLog.index().generation().raise(partition, key, version);
        foldedLog.keepBody(key, version, document.body());
    }

    @Override
    public ProducerRecord<byte[], byte[]> restoreOf(int partition, StateKey key, Restore restore) {
        if (mutation == Mutation.SKIP_THE_RESTORE) {
            throw new NotServingException(Reason.OVERLOADED, "Restores are skipped");
        }
        return stateLog.restoreOf(partition, key, restore);
    }

    @Override
    public Lane laneOf(int partition) {
        return stateLog.laneOf(partition);
    }

    @Override
    public int partitionOf(String key) {
        return stateLog.partitionOf(key);
    }

    @Override
    public int partitions() {
        return stateLog.partitions();
    }

    @Override
    public ProducerRecord<byte[], byte[]> claimOf(
            int partition, String key, ClaimRecord.@Nullable Claim claim, String writeId) {
        return stateLog.claimOf(partition, key, claim, writeId);
    }

    @Override
    public Optional<byte[]> read(StateKey key, StateVersion version) throws InterruptedException {
        return stateLog.read(key, version);
    }

    @Override
    public void catchUp(int partition) throws InterruptedException {
        stateLog.catchUp(partition);
    }
}
