package io.durablestate.event;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The newest events, so many and no more of those in the log and of those that are not, each in the order in which they were
 * told. Whoever listens holds no more than a place in it. Safe for use by any number of threads; telling never waits for a
 * listener.
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

    private final int capacity;
    private final Ring<Told> asides;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private long log;
    private long generation;
    private Ring<Told> ring;

    /** For each partition, the offset from which on every event is here. */
    private long[] complete = {};

    /** For each partition, the offset behind the last record that was folded. */
    private long[] next = {};

    private boolean closed;

    RecentEvents(int capacity) {
        this.capacity = capacity;
        this.asides = new Ring<>(capacity);
        this.ring = new Ring<>(capacity);
    }

    /** Forgets everything: the log, perhaps another one, is read from its beginning. Those who listen must begin anew. */
    void startOver(long newLog, int partitions) {
        lock.lock();
        try {
            log = newLog;
            generation++;
            ring = new Ring<>(capacity);
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
            if (told.partition() == NOT_IN_LOG) {
                asides.add(told);
            } else {
                Told oldest = ring.add(told);
                if (oldest != null) {
                    complete[oldest.partition()] = oldest.offset() + 1;
                }
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

    /**
     * Everything before an offset was folded, or there is no record.
     *
     * @param isReplay whether a record that is not there can be one that was compacted away, so that those who go on from before
     *     it would miss something
     */
    void reached(int partition, long offset, boolean isReplay) {
        lock.lock();
        try {
            if (offset > next[partition]) {
                next[partition] = offset;
                if (isReplay) {
                    complete[partition] = offset;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether a position of this log is further on than what was folded. */
    boolean isAhead(EventPosition position) {
        lock.lock();
        try {
            return position.isOf(log, next.length)
                    && IntStream.range(0, next.length)
                            .anyMatch(partition -> position.next(partition) > next[partition]);
        } finally {
            lock.unlock();
        }
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
     * @param index number of the next event of the log
     * @param aside number of the next event that is not in the log
     * @param position what the listener has been told
     */
    record Place(long generation, long index, long aside, EventPosition position) {

        /** The place behind the next event. */
        Place after(Told told) {
            return told.partition() == NOT_IN_LOG
                    ? new Place(generation, index, aside + 1, position)
                    : new Place(generation, index + 1, aside, position.after(told.partition(), told.offset()));
        }

        /** Whether the listener has not been told of the next event. */
        boolean isNew(Told told) {
            return told.partition() == NOT_IN_LOG || told.offset() >= position.next(told.partition());
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
                return new Place(generation, ring.next(), asides.next(), EventPosition.of(log, next));
            }
            if (!after.isOf(log, next.length)) {
                throw new PositionGoneException("the position is one of another log");
            }
            if (isAhead(after)) {
                throw new PositionGoneException("it is beyond the end of the log, which was cut");
            }
            for (int partition = 0; partition < next.length; partition++) {
                if (after.next(partition) < complete[partition]) {
                    throw new PositionGoneException(
                            "the events after it are not kept any more: in partition %d they are from offset %d on, and it is at %d"
                                    .formatted(partition, complete[partition], after.next(partition)));
                }
            }
            return new Place(generation, firstAfter(after), asides.next(), after);
        } finally {
            lock.unlock();
        }
    }

    private long firstAfter(EventPosition after) {
        long index = ring.first();
        while (index < ring.next()
                && ring.get(index).offset() < after.next(ring.get(index).partition())) {
            index++;
        }
        return index;
    }

    /**
     * What is told after a place, first what is in the log; waits until there is something.
     *
     * @return nothing when that takes longer than the timeout; null when there is nothing to wait for: the place is gone, the
     *     log is read anew, or the service ends
     */
    @Nullable
    List<Told> after(Place place, long timeoutNanos) throws InterruptedException {
        long left = timeoutNanos;
        lock.lockInterruptibly();
        try {
            while (isGood(place) && place.index() == ring.next() && place.aside() == asides.next() && left > 0) {
                left = more.awaitNanos(left);
            }
            if (!isGood(place)) {
                return null;
            }
            List<Told> told = new ArrayList<>(ring.from(place.index(), MOST_AT_ONCE));
            told.addAll(asides.from(place.aside(), MOST_AT_ONCE));
            return told;
        } finally {
            lock.unlock();
        }
    }

    private boolean isGood(Place place) {
        return !closed
                && place.generation() == generation
                && place.index() >= ring.first()
                && place.aside() >= asides.first();
    }
}
