package io.durablestate.state;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * By when the next write of a key is expected, for the keys whose last write said so. Each write of a key replaces what the one
 * before it said. Written by one thread, the log reader; read by any.
 */
final class Deadlines {

    private static final Comparator<Deadline> SOONEST_FIRST =
            Comparator.comparing(Deadline::due).thenComparing(Deadline::key);

    private final ConcurrentMap<String, Deadline> byKey = new ConcurrentHashMap<>();
    private final NavigableSet<Deadline> soonestFirst = new ConcurrentSkipListSet<>(SOONEST_FIRST);

    /**
     * A write of a key took effect.
     *
     * @param written when it was written, in milliseconds since the epoch
     * @param expectWithin how long the next write may take, or null when none is expected
     */
    void written(String key, long written, @Nullable Duration expectWithin) {
        Deadline before = byKey.get(key);
        if (before == null && expectWithin == null) {
            return;
        }
        if (expectWithin == null) {
            byKey.remove(key);
        } else {
            Deadline deadline = new Deadline(key, Instant.ofEpochMilli(written).plus(expectWithin));
            byKey.put(key, deadline);
            soonestFirst.add(deadline);
            if (deadline.equals(before)) {
                return;
            }
        }
        if (before != null) {
            soonestFirst.remove(before);
        }
    }

    /** Whether the deadline of a key has passed. */
    boolean isOverdue(String key, Instant now) {
        Deadline deadline = byKey.get(key);
        return deadline != null && deadline.due().isBefore(now);
    }

    /** Deadlines that have passed, the oldest first. */
    List<Deadline> passed(Instant now) {
        List<Deadline> passed = new ArrayList<>();
        for (Deadline deadline : soonestFirst) {
            if (!deadline.due().isBefore(now)) {
                break;
            }
            passed.add(deadline);
        }
        return passed;
    }

    void clear() {
        byKey.clear();
        soonestFirst.clear();
    }
}
