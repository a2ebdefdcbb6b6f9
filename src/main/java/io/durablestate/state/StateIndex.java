package io.durablestate.state;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
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
        private volatile long position;
    }

    /** What one replay and the following of the log after it have made of it; the next replay begins with an empty one. */
    static final class Generation {
        private final ConcurrentNavigableMap<StateKey, Entry> entries = new ConcurrentSkipListMap<>();
        private final ConcurrentNavigableMap<String, ClaimRecord> claims = new ConcurrentSkipListMap<>();
        private final LongAdder present = new LongAdder();
        private final List<Partition> partitions;
        private volatile boolean replaying = true;
        private volatile long trustedBefore = Long.MIN_VALUE;

        private Generation(int partitionCount) {
            partitions = Stream.generate(Partition::new).limit(partitionCount).toList();
        }

        /**
         * Makes an acknowledged, unconditional write visible that began under this generation, unless the log already shows
         * it or something newer.
         *
         * @return what readers saw before, null when nothing was known
         */
        @Nullable
        FoldedState raise(int partition, StateKey key, FoldedState acknowledged) {
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
    }

    private volatile Generation now = new Generation(0);

    /** Forgets everything and starts over: what no record was folded of is unknown until the replay ends. */
    void startReplay(int partitionCount) {
        now = new Generation(partitionCount);
    }

    /**
     * Until the replay ends, state records written before a time, in milliseconds since the epoch, take effect unjudged.
     *
     * <p>What such a record was judged by may have been compacted since, while the replay was reading. Judging it is not
     * needed either: one that is void was repaired long ago, by a record that lies further on in the log.
     */
    void trustRecordsBefore(long timestamp) {
        now.trustedBefore = timestamp;
    }

    /** From here on every record is judged, and a state without entry is deleted, no longer unknown. */
    void endReplay() {
        now.replaying = false;
    }

    /** Changes with every {@link #startReplay}; what a write of an older one raises, nobody sees. */
    Generation generation() {
        return now;
    }

    private Partition home(int partition) {
        return now.partitions.get(partition);
    }

    /** Folds the next record of a partition. */
    Judgement fold(int partition, StateRecord record) {
        Generation generation = now;
        Partition home = generation.partitions.get(partition);
        synchronized (home) {
            Entry entry = generation.entries.get(record.key());
            Judgement judgement = judge(generation, entry, record);
            FoldedState folded = judgement.state();
            if (folded != null) {
                generation.replace(record.key(), entry, new Entry(folded, headAfter(record.offset(), entry, folded)));
            }
            home.position = record.offset() + 1;
            return judgement;
        }
    }

    private static Judgement judge(Generation generation, @Nullable Entry entry, StateRecord record) {
        if (generation.replaying && record.timestamp() < generation.trustedBefore) {
            return new Judgement(true, record.content());
        }
        FoldedState before = entry == null ? null : entry.folded();
        if (before == null && !generation.replaying) {
            before = Deletion.NEVER_WRITTEN;
        }
        ClaimRecord claim = generation.claims.get(record.key().key());
        return Fold.judge(before, claim == null ? null : claim.offset(), record);
    }

    /** A head that lies behind the folded record stays, since the log shows it later. */
    private static FoldedState headAfter(long offset, @Nullable Entry before, FoldedState folded) {
        return before != null && before.head().offset() > offset ? before.head() : folded;
    }

    void fold(int partition, ClaimRecord record) {
        Generation generation = now;
        Partition home = generation.partitions.get(partition);
        synchronized (home) {
            if (record.claim() == null) {
                generation.claims.remove(record.key());
            } else {
                generation.claims.put(record.key(), record);
            }
            home.position = record.offset() + 1;
        }
    }

    /** Everything before {@code position} has been folded, or is of no meaning. */
    void passed(int partition, long position) {
        Partition home = home(partition);
        synchronized (home) {
            home.position = Math.max(home.position, position);
        }
    }

    /** Offset of the next record to be folded. */
    long position(int partition) {
        return home(partition).position;
    }

    /**
     * Forgets deletions written before a time, in milliseconds since the epoch.
     *
     * <p>A deletion must be remembered for as long as a restore may arrive that was made without knowing of it.
     */
    void forgetDeletionsBefore(long timestamp) {
        Generation generation = now;
        for (Map.Entry<StateKey, Entry> candidate : generation.entries.entrySet()) {
            if (isDeletionBefore(candidate.getValue(), timestamp)) {
                generation.entries.remove(candidate.getKey(), candidate.getValue());
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
        Entry entry = now.entries.get(key);
        return entry != null && entry.head() instanceof StateVersion version ? version : null;
    }

    /** The newest claim on a key, null when none is known. */
    @Nullable
    ClaimRecord claim(String key) {
        return now.claims.get(key);
    }

    /** The newest claims of the keys from a key on, in order. */
    Collection<ClaimRecord> claimsFrom(String key, boolean inclusive) {
        return now.claims.tailMap(key, inclusive).values();
    }

    /** Hands on the versions that readers see, in order, from a place on (exclusive), until the visitor has enough. */
    void scan(StateKey after, Visitor visitor) {
        NavigableMap<StateKey, Entry> rest = now.entries.tailMap(after, false);
        for (Map.Entry<StateKey, Entry> entry : rest.entrySet()) {
            if (entry.getValue().head() instanceof StateVersion version && !visitor.visit(entry.getKey(), version)) {
                return;
            }
        }
    }

    /** States that readers see. */
    long size() {
        return now.present.sum();
    }

    /** Takes states one by one. */
    @FunctionalInterface
    interface Visitor {

        /** Takes the next one; says whether to go on. */
        boolean visit(StateKey key, StateVersion version);
    }
}
