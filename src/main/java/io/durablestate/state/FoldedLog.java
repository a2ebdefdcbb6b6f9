package io.durablestate.state;

import com.github.benmanes.caffeine.cache.stats.CacheStats;
import io.durablestate.DurableStateProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What this instance has made of the state log.
 *
 * <p>Fed by one thread, the log reader, record by record in the order of each partition; read by any thread.
 */
@Component
public final class FoldedLog {

    private final StateIndex index = new StateIndex();
    private final AttemptCache cache;
    private final Verdicts verdicts = new Verdicts();
    private final VoidRecords voidRecords = new VoidRecords();
    private final Deadlines deadlines = new Deadlines();
    private final List<FoldListener> listeners;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private volatile AtomicLongArray positions = new AtomicLongArray(0);
    private final AtomicInteger waiting = new AtomicInteger();

    FoldedLog(DurableStateProperties properties, List<FoldListener> listeners) {
        this.cache = new AttemptCache(properties.cache().maxBytes().toBytes());
        this.listeners = listeners;
    }

    StateIndex index() {
        return index;
    }

    AttemptCache cache() {
        return cache;
    }

    Verdicts verdicts() {
        return verdicts;
    }

    VoidRecords voidRecords() {
        return voidRecords;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    /** Forgets everything; what follows are the records of every partition from its beginning. */
    public void startReplay(int partitions) {
        index.startReplay(partitions);
        cache.clear();
        voidRecords.clear();
        deadlines.clear();
        positions = new AtomicLongArray(partitions);
        listeners.forEach(listener -> listener.replayStarts(partitions));
    }

    /**
     * Until the replay ends, state records written before a time, in milliseconds since the epoch, take effect unjudged:
     * what they were judged by may have been compacted since, and every void one among them was repaired long ago.
     */
    public void trustRecordsBefore(long timestamp) {
        index.trustRecordsBefore(timestamp);
    }

    /** Every partition has been folded up to the end that it had when the replay began. */
    public void endReplay() {
        index.endReplay();
    }

    /**
     * Folds the next record of a partition.
     *
     * @param body the record's value, null for a deletion or a forgotten claim; kept, not copied
     */
    public void fold(int partition, LogRecord record, byte @Nullable [] body) {
        if (record instanceof StateRecord stateRecord) {
            Judgement judgement = index.fold(partition, stateRecord);
            if (judgement.tookEffect()) {
                keepBody(stateRecord.key(), stateRecord.content(), body);
                expectNext(stateRecord);
            }
            verdicts.judged(stateRecord, judgement, index);
            voidRecords.judged(partition, stateRecord, judgement);
            listeners.forEach(listener -> listener.folded(partition, stateRecord, judgement));
        } else if (record instanceof ClaimRecord claimRecord) {
            ClaimRecord before = index.claim(claimRecord.key());
            index.fold(partition, claimRecord);
            verdicts.claimed(claimRecord, before);
            ClaimRecord.Claim claim = claimRecord.claim();
            deadlines.written(claimRecord.key(), claimRecord.timestamp(), claim == null ? null : claim.expectWithin());
            listeners.forEach(listener -> listener.claimed(partition, claimRecord));
        }
        advance(partition, record.offset() + 1);
    }

    /** A restore is no write: it only counts where it speaks of the last one. */
    private void expectNext(StateRecord record) {
        FoldedState content = record.content();
        if (record.asOf() != null
                && (!(content instanceof StateVersion version) || !isLastWrite(record.key(), version))) {
            return;
        }
        deadlines.written(
                record.key().key(),
                content.timestamp(),
                content instanceof StateVersion version ? version.expectWithin() : null);
    }

    private boolean isLastWrite(StateKey key, StateVersion version) {
        ClaimRecord claim = index.claim(key.key());
        boolean[] last = {claim == null || claim.offset() < version.writtenAt()};
        StateFilter ofKey = StateFilter.ofKey(key.key());
        index.scan(ofKey.start(), (other, otherVersion) -> {
            last[0] &= ofKey.isPast(other) || otherVersion.writtenAt() <= version.writtenAt();
            return last[0] && !ofKey.isPast(other);
        });
        return last[0];
    }

    /** Keeps the body of what is in effect now, or none when that is a deletion. */
    void keepBody(StateKey key, FoldedState inEffect, byte @Nullable [] body) {
        if (inEffect instanceof StateVersion version && body != null) {
            cache.put(key, version, body);
        } else {
            cache.remove(key);
        }
    }

    /** Everything before an offset of a partition has been folded or skipped. Wakes those who wait for it. */
    public void passed(int partition, long position) {
        index.passed(partition, position);
        listeners.forEach(listener -> listener.passed(partition, position));
        advance(partition, position);
        if (waiting.get() > 0) {
            lock.lock();
            try {
                advanced.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void advance(int partition, long position) {
        positions.accumulateAndGet(partition, position, Math::max);
    }

    /** Offset of the next record of a partition; what lies before it was folded, and every listener has heard of it. */
    public long position(int partition) {
        return positions.get(partition);
    }

    /** Offset of the next record of a partition that is to be folded; empty when no replay of it has begun. */
    public OptionalLong findPosition(int partition) {
        AtomicLongArray now = positions;
        return partition < now.length() ? OptionalLong.of(now.get(partition)) : OptionalLong.empty();
    }

    /**
     * Waits until everything before an offset has been folded.
     *
     * @return false when that took longer than the timeout
     */
    public boolean awaitPosition(int partition, long position, Duration timeout) throws InterruptedException {
        long nanos = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            waiting.incrementAndGet();
            while (position(partition) < position) {
                if (nanos <= 0) {
                    return false;
                }
                // Looks again now and then, since a reader that advances does not take the lock while nobody waits.
                long slice = Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(50));
                nanos -= slice - Math.max(0, advanced.awaitNanos(slice));
            }
            return true;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }

    /** Forgets deletions written before a time, in milliseconds since the epoch; see the log format for how long to wait. */
    public void forgetDeletionsBefore(long timestamp) {
        index.forgetDeletionsBefore(timestamp);
    }

    /** States that a void record hides from compaction, and that are not restored yet. */
    public int hiddenStates() {
        return voidRecords.size();
    }

    /** Deadlines of keys that have passed with no write since, the oldest first. */
    public List<Deadline> overdue(Instant now) {
        return deadlines.passed(now);
    }

    /** States that are there. */
    public long states() {
        return index.size();
    }

    /** Bodies in the attempt cache, roughly. */
    public long cachedBodies() {
        return cache.size();
    }

    /** Heap that the attempt cache uses, roughly. */
    public long cachedBytes() {
        return cache.bytes();
    }

    /** Hits and misses of the attempt cache since the start. */
    public CacheStats cacheStats() {
        return cache.stats();
    }
}
