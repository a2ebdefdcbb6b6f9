package io.durablestate.failure;

import io.durablestate.DurableStateProperties;
import io.durablestate.state.ClaimRecord;
import io.durablestate.state.FailedWrite;
import io.durablestate.state.FoldListener;
import io.durablestate.state.Judgement;
import io.durablestate.state.Operation;
import io.durablestate.state.Reach;
import io.durablestate.state.Revision;
import io.durablestate.state.StateRecord;
import io.durablestate.state.WriteIdentity;
import io.durablestate.state.WriteListener;
import io.durablestate.state.WriteTimings;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The failed writes of this instance, the newest ones, in memory. Safe for use by any number of threads.
 *
 * <p>It watches the log for every write that is under way or of unknown outcome: one whose record turns up was persisted,
 * whatever its caller was told before. When the list is full the oldest failure goes whose outcome is known, or the oldest
 * of all when there is none but the newest.
 */
@Component
public final class FailureJournal implements WriteListener, FoldListener {

    private static final Logger log = LoggerFactory.getLogger(FailureJournal.class);

    private final Clock clock;
    private final String instance;
    private final String idPrefix;
    private final AtomicLong numbers = new AtomicLong();
    private final int capacity;
    private final WatchedWrites watched = new WatchedWrites();
    private final Deque<Failure> newestFirst = new ArrayDeque<>();

    private final List<Consumer<Failure>> listeners = new CopyOnWriteArrayList<>();

    FailureJournal(DurableStateProperties properties, Clock clock) {
        this.clock = clock;
        this.instance = properties.instanceId();
        this.idPrefix = Long.toString(clock.millis(), Character.MAX_RADIX) + "-";
        this.capacity = properties.failures().capacity();
    }

    /** Has each failure told, and each that changes, on the thread that finds out: must be quick and must not throw. */
    public void onChange(Consumer<Failure> listener) {
        listeners.add(listener);
    }

    @Override
    public void begun(WriteIdentity write) {
        watched.begun(write, this::isUnknown);
    }

    private boolean isUnknown(String failureId) {
        return find(failureId)
                .filter(failure -> failure.outcome() == Outcome.UNKNOWN)
                .isPresent();
    }

    @Override
    public void acknowledged(Operation operation, WriteIdentity write, Revision at, WriteTimings timings) {
        watched.ended(write, null);
    }

    @Override
    public void failed(FailedWrite write) {
        Diagnosis diagnosis = Diagnosis.of(write);
        boolean isBegun = write.reach() != Reach.NOT_BEGUN;
        if (diagnosis.problem() == Problem.PRECONDITION_FAILED) {
            if (isBegun) {
                watched.ended(write.identity(), null);
            }
            return; // an answer like any other: two writers met
        }
        long number = numbers.incrementAndGet();
        Failure failure = new Failure(
                number,
                idPrefix + number,
                clock.instant(),
                instance,
                write,
                diagnosis,
                diagnosis.outcome(),
                null,
                null);
        log.warn(
                "A {} failed at {} with {} ({}): {}",
                write.operation(),
                write.phase(),
                diagnosis.problem().slug(),
                diagnosis.outcome().word(),
                diagnosis.rootCause());
        add(failure);
        if (isBegun) {
            WatchedWrites.Sighting seen = watched.ended(write.identity(), failure.id());
            if (seen != null) {
                sighted(failure.id(), seen);
            }
        }
    }

    private void add(Failure failure) {
        Failure evicted = null;
        synchronized (this) {
            newestFirst.addFirst(failure);
            if (newestFirst.size() > capacity) {
                evicted = evict();
            }
        }
        listeners.forEach(listener -> listener.accept(failure));
        if (evicted != null) {
            watched.forget(evicted.write().identity(), evicted.id());
        }
    }

    private Failure evict() {
        for (Iterator<Failure> oldestFirst = newestFirst.descendingIterator(); oldestFirst.hasNext(); ) {
            Failure candidate = oldestFirst.next();
            boolean isNewest = !oldestFirst.hasNext();
            if (candidate.outcome() != Outcome.UNKNOWN && !isNewest) {
                oldestFirst.remove();
                return candidate;
            }
        }
        return newestFirst.removeLast();
    }

    @Override
    public void folded(int partition, StateRecord record, Judgement judgement) {
        sighted(
                record.identity(),
                new WatchedWrites.Sighting(new Revision(partition, record.offset()), judgement.tookEffect()));
    }

    @Override
    public void claimed(int partition, ClaimRecord record) {
        sighted(
                new WriteIdentity(record.key(), null, record.writeId()),
                new WatchedWrites.Sighting(new Revision(partition, record.offset()), true));
    }

    private void sighted(WriteIdentity write, WatchedWrites.Sighting seen) {
        watched.sighted(write, seen).forEach(failureId -> sighted(failureId, seen));
    }

    /** A void record is in the log and has no effect: what it was to store is not persisted. */
    private void sighted(String failureId, WatchedWrites.Sighting seen) {
        if (seen.tookEffect()) {
            turnedUp(failureId, seen.at());
        } else {
            settleAsNotPersisted(failureId);
        }
    }

    private synchronized void turnedUp(String failureId, Revision where) {
        replace(failureId, failure -> {
            if (failure.outcome() == Outcome.PERSISTED) {
                return failure; // met again by a replay
            }
            if (failure.outcome() == Outcome.NOT_PERSISTED) {
                log.error(
                        "A write that was called not persisted turned up in the log at {}; failure {}",
                        where,
                        failureId);
            }
            return failure.persisted(clock.instant(), where);
        });
    }

    /** The log was read far enough without meeting the write. It is watched on, so that a late record would show. */
    synchronized void settleAsNotPersisted(String failureId) {
        replace(
                failureId,
                failure -> failure.outcome() == Outcome.UNKNOWN ? failure.notPersisted(clock.instant()) : failure);
    }

    private void replace(String failureId, UnaryOperator<Failure> change) {
        List<Failure> changed = new ArrayList<>(newestFirst);
        changed.replaceAll(failure -> {
            Failure after = failure.id().equals(failureId) ? change.apply(failure) : failure;
            if (after.outcome() != failure.outcome()) {
                listeners.forEach(listener -> listener.accept(after));
            }
            return after;
        });
        newestFirst.clear();
        newestFirst.addAll(changed);
    }

    /** Failures, newest first. */
    public synchronized List<Failure> newestFirst() {
        return List.copyOf(newestFirst);
    }

    /** Failures whose outcome is unknown, newest first. */
    List<Failure> unknown() {
        return newestFirst().stream()
                .filter(failure -> failure.outcome() == Outcome.UNKNOWN)
                .toList();
    }

    /** The failure with an id, if it is still in the list. */
    public Optional<Failure> find(String id) {
        return newestFirst().stream().filter(failure -> failure.id().equals(id)).findFirst();
    }
}
