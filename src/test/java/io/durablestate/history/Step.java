package io.durablestate.history;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One call on one key, as its client saw it.
 *
 * @param client who called
 * @param invoked when, on the clock that all clients share
 * @param returned when the answer came; for one that may still happen at any time, {@link #NEVER}
 * @param effect what it did, or would do
 * @param isCertain whether it did, as against may have done
 * @param revision where its record lies in the log, or null when the client did not learn that
 * @param after a step that comes before it, or null
 */
public record Step(
        int client,
        long invoked,
        long returned,
        Effect effect,
        boolean isCertain,
        @Nullable Place revision,
        @Nullable Step after) {

    public static final long NEVER = Long.MAX_VALUE;

    /** A place in the partition of the key. */
    public record Place(int partition, long offset) implements Comparable<Place> {

        private static final Comparator<Place> ORDER =
                Comparator.comparingInt(Place::partition).thenComparingLong(Place::offset);

        /** Reads what the service calls a revision. */
        public static Place of(String revision) {
            int dash = revision.indexOf('-');
            return new Place(
                    Integer.parseInt(revision.substring(0, dash)), Long.parseLong(revision.substring(dash + 1)));
        }

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /** Something that has certainly happened while the client waited. */
    public static Step happened(int client, long invoked, long returned, Effect effect, @Nullable Place revision) {
        return new Step(client, invoked, returned, effect, true, revision, null);
    }

    /** Something that may have happened since, may happen yet, or never does. */
    public static Step unknown(int client, long invoked, Effect effect) {
        return new Step(client, invoked, NEVER, effect, false, null, null);
    }

    /** The same, but known to have come after another. */
    public Step after(Step earlier) {
        return new Step(client, invoked, returned, effect, isCertain, revision, earlier);
    }

    /** The same, at a place that another client saw; so it has happened. */
    Step at(Place seen) {
        return new Step(client, invoked, returned, effect, true, seen, after);
    }
}
