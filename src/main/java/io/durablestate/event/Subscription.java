package io.durablestate.event;

import io.durablestate.event.RecentEvents.Place;
import io.durablestate.event.RecentEvents.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One who listens. Used by one thread; holds a place and no events. */
public final class Subscription implements AutoCloseable {

    private final RecentEvents recent;
    private final Predicate<String> keys;
    private final Runnable end;
    private final AtomicBoolean ended = new AtomicBoolean();
    private Place place;

    Subscription(RecentEvents recent, Place place, Predicate<String> keys, Runnable end) {
        this.recent = recent;
        this.place = place;
        this.keys = keys;
        this.end = end;
    }

    /**
     * An event that was heard.
     *
     * @param id the position right after it
     */
    public record Heard(String id, StateEvent event) {}

    /** The position up to which everything was heard. */
    public String position() {
        return place.position().toString();
    }

    /**
     * What happens next; waits until something does that is of interest.
     *
     * @return what was heard, nothing when that takes longer than the timeout; null when the stream has come to its end: this
     *     one was too slow, the log is read anew, or the service ends. Who goes on from the last position misses nothing, or is
     *     told that it does.
     */
    public @Nullable List<Heard> next(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            List<Told> all = recent.after(place, left);
            if (all == null) {
                return null;
            }
            List<Heard> heard = hear(all);
            if (!heard.isEmpty() || all.isEmpty() || left <= 0) {
                return heard;
            }
        }
    }

    private List<Heard> hear(List<Told> all) {
        List<Heard> heard = new ArrayList<>();
        for (Told told : all) {
            boolean isNew = place.isNew(told);
            place = place.after(told);
            if (isNew && keys.test(told.event().key())) {
                heard.add(new Heard(position(), told.event()));
            }
        }
        return heard;
    }

    @Override
    public void close() {
        if (ended.compareAndSet(false, true)) {
            end.run();
        }
    }
}
