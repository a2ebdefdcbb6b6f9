package io.durablestate.state;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * States whose newest record is void, or lies behind a void one that nothing has made good: compaction would keep that one
 * instead of what is in effect. Each needs a restore.
 */
final class VoidRecords {

    /**
     * What a restore has to say.
     *
     * @param asOf newest offset of the state that was folded
     * @param inEffect what is in effect there
     * @param since when the oldest of the void records was written, in milliseconds since the epoch
     */
    record Hidden(int partition, long asOf, FoldedState inEffect, long since) {}

    private final ConcurrentMap<StateKey, Hidden> hidden = new ConcurrentHashMap<>();

    /** A record was folded. */
    void judged(int partition, StateRecord record, Judgement judgement) {
        Hidden before = hidden.get(record.key());
        if (before == null && judgement.tookEffect()) {
            return;
        }
        if (before != null && judgement.tookEffect() && makesGood(record, before)) {
            hidden.remove(record.key());
            return;
        }
        FoldedState inEffect = judgement.state() == null ? Deletion.NEVER_WRITTEN : judgement.state();
        long since = before == null ? record.timestamp() : before.since();
        hidden.put(record.key(), new Hidden(partition, record.offset(), inEffect, since));
    }

    /**
     * What every reader takes for true, wherever it begins: a restore as of all that came before it, or a write without
     * condition. A condition could be judged by a void record that survived what it was void for.
     */
    private static boolean makesGood(StateRecord record, Hidden before) {
        return record.asOf() != null
                ? record.asOf() >= before.asOf()
                : record.ifRevision() == null && record.attempt() == null;
    }

    /** What is hidden of a state, null when nothing is. */
    @Nullable
    Hidden find(StateKey key) {
        return hidden.get(key);
    }

    /** States whose oldest void record was written before a time, in milliseconds since the epoch. */
    List<StateKey> olderThan(long timestamp) {
        return hidden.entrySet().stream()
                .filter(entry -> entry.getValue().since() < timestamp)
                .map(Map.Entry::getKey)
                .toList();
    }

    int size() {
        return hidden.size();
    }

    void clear() {
        hidden.clear();
    }
}
