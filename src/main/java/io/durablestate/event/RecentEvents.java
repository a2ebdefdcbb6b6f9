package io.durablestate.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The newest events, so many and no more, in the order in which they were told. Whoever listens holds no more than a place in
 * it. Safe for use by any number of threads; telling never waits for a listener.
 */
final class RecentEvents {

    /** Most events that are handed out in one go. */
    private static final int MOST_AT_ONCE = 256;

    /** Stands for no partition: the event is not in the log, and is not told again. */
    static final int NOT_IN_LOG = -1;

    /**
     * An event and its place.
     *
     * @param partition where its record lies, or {@link #NOT_IN_LOG}
     */
    record Told(StateEvent event, int partition, long offset) {}

    private final Told[] ring;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private long log;
    private long generation;
    private long end;
    private long begin;

    /** For each partition, the offset from which on every event is here. */
    private long[] complete = {};

    /** For each partition, the offset behind the last record that was folded. */
    private long[] next = {};

    private boolean closed;

    RecentEvents(int capacity) {
        this.ring = new Told[capacity];
    }

    /** Forgets everything: the log, perhaps another one, is read from its beginning. Those who listen must begin anew. */
    void startOver(long newLog, int partitions) {
        lock.lock();
        try {
            log = newLog;
            generation++;
            begin = end;
            Arrays.fill(ring, null);
            complete = new long[partitions];
            next = new long[partitions];
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Tells an event. */
    void tell(Told told) {
        lock.lock();
        try {
            if (end - begin == ring.length) {
                Told oldest = ring[slot(begin)];
                if (oldest.partition() != NOT_IN_LOG) {
                    complete[oldest.partition()] = oldest.offset() + 1;
                }
                begin++;
            }
            ring[slot(end++)] = told;
            if (told.partition() != NOT_IN_LOG) {
                next[told.partition()] = told.offset() + 1;
            }
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A record was folded that is no event, or is too old to be told.
     *
     * @param isGap whether those who go on from before it would miss something
     */
    void passed(int partition, long offset, boolean isGap) {
        lock.lock();
        try {
            next[partition] = offset + 1;
            if (isGap) {
                complete[partition] = offset + 1;
            }
        } finally {
            lock.unlock();
        }
    }

    private int slot(long index) {
        return (int) (index % ring.length);
    }

    /** Nobody listens any more from here on. */
    void close() {
        lock.lock();
        try {
            closed = true;
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A place from which on events are told.
     *
     * @param generation which reading of the log it belongs to
     * @param index the next event, counted from the start of the service
     * @param asideFrom the first event that is not in the log and is told: those before it were told to those who listened then
     * @param position what the listener has been told
     */
    record Place(long generation, long index, long asideFrom, EventPosition position) {

        /** The place behind the next event. */
        Place after(Told told) {
            EventPosition moved =
                    told.partition() == NOT_IN_LOG ? position : position.after(told.partition(), told.offset());
            return new Place(generation, index + 1, asideFrom, moved);
        }

        /** Whether the listener has not been told of the next event. */
        boolean isNew(Told told) {
            return told.partition() == NOT_IN_LOG
                    ? index >= asideFrom
                    : told.offset() >= position.next(told.partition());
        }
    }

    /**
     * The place to go on from.
     *
     * @param after what the listener has been told, or null to begin with what comes now
     * @throws PositionGoneException when what came after that is not here any more
     */
    Place placeAfter(@Nullable EventPosition after) {
        lock.lock();
        try {
            if (after == null) {
                return new Place(generation, end, end, EventPosition.of(log, next));
            }
            if (!after.isOf(log, next.length)) {
                throw new PositionGoneException("the position is one of another log");
            }
            for (int partition = 0; partition < next.length; partition++) {
                if (after.next(partition) < complete[partition]) {
                    throw new PositionGoneException(
                            "the events after it are not kept any more: in partition %d they are from offset %d on, and it is at %d"
                                    .formatted(partition, complete[partition], after.next(partition)));
                }
            }
            return new Place(generation, firstAfter(after), end, after);
        } finally {
            lock.unlock();
        }
    }

    private long firstAfter(EventPosition after) {
        for (long index = begin; index < end; index++) {
            Told told = ring[slot(index)];
            if (told.partition() != NOT_IN_LOG && told.offset() >= after.next(told.partition())) {
                return index;
            }
        }
        return end;
    }

    /**
     * What is told after a place; waits until there is something.
     *
     * @return nothing when that takes longer than the timeout; null when there is nothing to wait for: the place is gone, the
     *     log is read anew, or the service ends
     */
    @Nullable
    List<Told> after(Place place, long timeoutNanos) throws InterruptedException {
        long left = timeoutNanos;
        lock.lockInterruptibly();
        try {
            while (isGood(place) && place.index() == end && left > 0) {
                left = more.awaitNanos(left);
            }
            if (!isGood(place)) {
                return null;
            }
            List<Told> told = new ArrayList<>();
            for (long index = place.index(); index < end && told.size() < MOST_AT_ONCE; index++) {
                told.add(ring[slot(index)]);
            }
            return told;
        } finally {
            lock.unlock();
        }
    }

    private boolean isGood(Place place) {
        return !closed && place.generation() == generation && place.index() >= begin;
    }
}
