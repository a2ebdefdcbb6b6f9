package io.durablestate.fault;

import io.durablestate.state.ClaimRecord;
import io.durablestate.state.Lane;
import io.durablestate.state.Restore;
import io.durablestate.state.StateDocument;
import io.durablestate.state.StateKey;
import io.durablestate.state.StateLog;
import io.durablestate.state.StateVersion;
import io.durablestate.state.Terms;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** The state log, but for writes whose acknowledgement a fault keeps from them. */
final class FaultyStateLog implements StateLog {

    private final StateLog stateLog;
    private final FaultKit kit;

    FaultyStateLog(StateLog stateLog, FaultKit kit) {
        this.stateLog = stateLog;
        this.kit = kit;
    }

    @Override
    public Lane laneOf(int partition) {
        Lane lane = stateLog.laneOf(partition);
        FaultKind fault = kit.current();
        return fault == FaultKind.UNKNOWN_WRITTEN || fault == FaultKind.UNKNOWN_NOT_WRITTEN
                ? new SilentLane(lane, fault == FaultKind.UNKNOWN_WRITTEN)
                : lane;
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
    public ProducerRecord<byte[], byte[]> recordOf(
            int partition, StateKey key, @Nullable StateDocument document, Terms terms, String writeId) {
        return stateLog.recordOf(partition, key, document, terms, writeId);
    }

    @Override
    public ProducerRecord<byte[], byte[]> restoreOf(int partition, StateKey key, Restore restore) {
        return stateLog.restoreOf(partition, key, restore);
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
