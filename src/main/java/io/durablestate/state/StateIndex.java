package io.durablestate.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What the fold has made of the log: an ordered map from state key to version, without bodies.
 *
 * <p>One thread folds. Any thread may raise and read; a reader never waits. An entry knows two versions: the folded one,
 * which the rules look at, and its head, which readers see. A put that Kafka acknowledged raises the head at once; the
 * fold catches up with it later.
 */
final class StateIndex {

    /**
     * What is known of one state.
     *
     * @param folded what the fold made of it, null while unknown
     * @param head the newest of what was folded and what was acknowledged to this instance
     */
    private record Entry(@Nullable FoldedState folded, FoldedState head) {}

    /** One partition's part; its monitor makes folding and raising one after the other. */
    private static final class Partition {
        private final Map<String, ClaimRecord> claims = new HashMap<>();
        private volatile long position;
    }

    private final ConcurrentNavigableMap<StateKey, Entry> entries = new ConcurrentSkipListMap<>();
    private final LongAdder present = new LongAdder();
    private volatile List<Partition> partitions = List.of();
    private volatile boolean replaying = true;

    /** Forgets everything and starts over: what no record was folded of is unknown until the replay ends. */
    void startReplay(int partitionCount) {
        List<Partition> fresh = new ArrayList<>();
        for (int i = 0; i < partitionCount; i++) {
            fresh.add(new Partition());
        }
        replaying = true;
        partitions = List.copyOf(fresh);
        entries.clear();
        present.reset();
    }

    /** From here on a state without entry is deleted, no longer unknown. */
    void endReplay() {
        replaying = false;
    }

    /** Changes with every {@link #startReplay}; a write that began under another one must not raise anything. */
    Object generation() {
        return partitions;
    }

    /** Folds the next record of a partition. */
    Judgement fold(int partition, StateRecord record) {
        Partition home = partitions.get(partition);
        synchronized (home) {
            Entry entry = entries.get(record.key());
            FoldedState before = entry == null ? null : entry.folded();
            if (before == null && !replaying) {
                before = Deletion.NEVER_WRITTEN;
            }
            ClaimRecord claim = home.claims.get(record.key().key());
            Judgement judgement = Fold.judge(before, claim == null ? null : claim.offset(), record);
            FoldedState folded = judgement.state();
            if (folded != null) {
                replace(record.key(), entry, new Entry(folded, headAfter(record.offset(), entry, folded)));
            }
            home.position = record.offset() + 1;
            return judgement;
        }
    }

    /** A head that lies behind the folded record stays, since the log shows it later. */
    private static FoldedState headAfter(long offset, @Nullable Entry before, FoldedState folded) {
        return before != null && before.head().offset() > offset ? before.head() : folded;
    }

    void fold(int partition, ClaimRecord record) {
        Partition home = partitions.get(partition);
        synchronized (home) {
            if (record.claim() == null) {
                home.claims.remove(record.key());
            } else {
                home.claims.put(record.key(), record);
            }
            home.position = record.offset() + 1;
        }
    }

    /** Everything before {@code position} has been folded, or is of no meaning. */
    void passed(int partition, long position) {
        Partition home = partitions.get(partition);
        synchronized (home) {
            home.position = Math.max(home.position, position);
        }
    }

    /** Offset of the next record to be folded. */
    long position(int partition) {
        return partitions.get(partition).position;
    }

    /**
     * Makes an acknowledged, unconditional write visible, unless the log already shows it or something newer.
     *
     * @param generation what {@link #generation} was when the write began
     * @return what readers saw before, null when nothing was known or the log was started over meanwhile
     */
    @Nullable
    FoldedState raise(Object generation, int partition, StateKey key, FoldedState acknowledged) {
        if (generation != partitions) {
            return null;
        }
        Partition home = partitions.get(partition);
        synchronized (home) {
            Entry entry = entries.get(key);
            boolean alreadyPassed = acknowledged.offset() < home.position;
            if (!alreadyPassed && (entry == null || entry.head().offset() < acknowledged.offset())) {
                replace(key, entry, new Entry(entry == null ? null : entry.folded(), acknowledged));
            }
            return entry == null ? null : entry.head();
        }
    }

    private void replace(StateKey key, @Nullable Entry before, Entry after) {
        entries.put(key, after);
        present.add(presence(after.head()) - (before == null ? 0 : presence(before.head())));
    }

    private static int presence(FoldedState state) {
        return state instanceof StateVersion ? 1 : 0;
    }

    /**
     * Forgets deletions written before a time, in milliseconds since the epoch.
     *
     * <p>A deletion must be remembered for as long as a restore may arrive that was made without knowing of it.
     */
    void forgetDeletionsBefore(long timestamp) {
        for (Map.Entry<StateKey, Entry> candidate : entries.entrySet()) {
            if (isDeletionBefore(candidate.getValue(), timestamp)) {
                entries.remove(candidate.getKey(), candidate.getValue());
            }
        }
    }

    private static boolean isDeletionBefore(Entry entry, long timestamp) {
        return entry.head() instanceof Deletion deletion
                && deletion.equals(entry.folded())
                && deletion.timestamp() < timestamp;
    }

    /** The version that readers see, null when there is none. */
    @Nullable
    StateVersion find(StateKey key) {
        Entry entry = entries.get(key);
        return entry != null && entry.head() instanceof StateVersion version ? version : null;
    }

    /** The newest claim on a key, null when none is known. */
    @Nullable
    ClaimRecord claim(int partition, String key) {
        Partition home = partitions.get(partition);
        synchronized (home) {
            return home.claims.get(key);
        }
    }

    /** Hands on the versions that readers see, in order, from a place on (exclusive), until the visitor has enough. */
    void scan(StateKey after, Visitor visitor) {
        NavigableMap<StateKey, Entry> rest = entries.tailMap(after, false);
        for (Map.Entry<StateKey, Entry> entry : rest.entrySet()) {
            if (entry.getValue().head() instanceof StateVersion version && !visitor.visit(entry.getKey(), version)) {
                return;
            }
        }
    }

    /** States that readers see. */
    long size() {
        return present.sum();
    }

    /** Takes states one by one. */
    @FunctionalInterface
    interface Visitor {

        /** Takes the next one; says whether to go on. */
        boolean visit(StateKey key, StateVersion version);
    }
}
