package io.durablestate.failure;

import io.durablestate.state.Revision;
import io.durablestate.state.WriteIdentity;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The writes that the log is watched for: those under way, and those that failed. A caller that repeats a write under its own
 * id makes several of one identity. Safe for use by any number of threads.
 */
final class WatchedWrites {

    /**
     * A record of a write was met in the log.
     *
     * @param tookEffect false when it is void
     */
    record Sighting(Revision at, boolean tookEffect) {}

    private record Watched(
            int underWay, List<String> failures, @Nullable Sighting seen) {

        private static final Watched NOTHING = new Watched(0, List.of(), null);

        private @Nullable Watched orNone() {
            return underWay == 0 && failures.isEmpty() ? null : this;
        }
    }

    private final ConcurrentMap<WriteIdentity, Watched> writes = new ConcurrentHashMap<>();

    /**
     * A write begins.
     *
     * @param unknown which earlier failures of the same identity are still open: its record may be theirs
     */
    void begun(WriteIdentity write, Predicate<String> unknown) {
        Watched earlier = writes.get(write);
        List<String> open = earlier == null
                ? List.of()
                : earlier.failures().stream().filter(unknown).toList();
        writes.compute(
                write, (identity, watched) -> new Watched(watched == null ? 1 : watched.underWay() + 1, open, null));
    }

    /**
     * A write ended.
     *
     * @param failureId the failure that it ended in, for which the log is watched on; null when there is none
     * @return the record that was met meanwhile, or null
     */
    @Nullable
    Sighting ended(WriteIdentity write, @Nullable String failureId) {
        Sighting[] seen = new Sighting[1];
        writes.compute(write, (identity, present) -> {
            Watched watched = present == null ? Watched.NOTHING : present;
            seen[0] = watched.seen();
            List<String> failures = failureId == null
                    ? watched.failures()
                    : Stream.concat(watched.failures().stream(), Stream.of(failureId))
                            .toList();
            return new Watched(Math.max(0, watched.underWay() - 1), failures, watched.seen()).orNone();
        });
        return seen[0];
    }

    /** A failure is forgotten, so nobody need watch for it. */
    void forget(WriteIdentity write, String failureId) {
        writes.computeIfPresent(
                write,
                (identity, watched) -> new Watched(
                                watched.underWay(),
                                watched.failures().stream()
                                        .filter(id -> !id.equals(failureId))
                                        .toList(),
                                watched.seen())
                        .orNone());
    }

    /** A record was met; the failures that it speaks of. */
    List<String> sighted(WriteIdentity write, Sighting seen) {
        if (!writes.containsKey(write)) {
            return List.of();
        }
        Watched watched = writes.computeIfPresent(
                write, (identity, present) -> new Watched(present.underWay(), present.failures(), seen));
        return watched == null ? List.of() : watched.failures();
    }
}
