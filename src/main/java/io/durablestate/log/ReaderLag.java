package io.durablestate.log;

import io.durablestate.log.ClusterSnapshot.PartitionSnapshot;
import io.durablestate.state.FoldedLog;
import java.util.OptionalLong;
import org.springframework.stereotype.Component;

/** How far the reader is behind the end of the log. */
@Component
public final class ReaderLag {

    private final ClusterProbe probe;
    private final FoldedLog foldedLog;

    ReaderLag(ClusterProbe probe, FoldedLog foldedLog) {
        this.probe = probe;
        this.foldedLog = foldedLog;
    }

    /** Offsets that are left to read, all partitions together; empty when Kafka does not say where the log ends. */
    public OptionalLong total() {
        ClusterSnapshot snapshot = probe.latest().current();
        if (snapshot == null) {
            return OptionalLong.empty();
        }
        long total = 0;
        for (PartitionSnapshot partition : snapshot.partitions()) {
            OptionalLong position = position(partition.partition());
            if (partition.endOffset() == null || position.isEmpty()) {
                return OptionalLong.empty();
            }
            total += Math.max(0, partition.endOffset() - position.getAsLong());
        }
        return OptionalLong.of(total);
    }

    /** Offset that the reader takes next in a partition; empty before the log has been reached. */
    public OptionalLong position(int partition) {
        return foldedLog.findPosition(partition);
    }
}
