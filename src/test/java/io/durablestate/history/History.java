package io.durablestate.history;

import io.durablestate.history.Effect.Conditions;
import io.durablestate.history.Effect.Mismatched;
import io.durablestate.history.Effect.Stored;
import io.durablestate.history.Step.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Everything that clients did with one key and saw of it. Safe for use by any number of threads. */
public final class History {

    private record Refused(
            int client,
            long invoked,
            long returned,
            String state,
            String onlyIf,
            @Nullable Place actual) {}

    private final List<Step> steps = new ArrayList<>();
    private final List<Refused> refused = new ArrayList<>();
    private final Map<Place, String> writes = new HashMap<>();
    private final Map<String, SortedSet<Place>> places = new HashMap<>();
    private @Nullable String contradiction;

    /** Takes note of a call that happened, or may have. */
    public synchronized Step add(Step step) {
        steps.add(step);
        return step;
    }

    /** Takes note of where somebody saw the record of a write. */
    public synchronized void saw(Place place, String write) {
        String other = writes.putIfAbsent(place, write);
        if (other != null && !other.equals(write)) {
            contradiction = "%s was seen as write %s, and as write %s before".formatted(place, write, other);
        }
        places.computeIfAbsent(write, seen -> new TreeSet<>()).add(place);
    }

    /**
     * Takes note of a write that was refused since its state was not there.
     *
     * @param onlyIf the write whose state it asked for
     * @param actual where the record lay that was in effect instead, or null when there was no state
     */
    public synchronized void mismatched(
            int client, long invoked, long returned, String state, String onlyIf, @Nullable Place actual) {
        refused.add(new Refused(client, invoked, returned, state, onlyIf, actual));
    }

    /** How many calls there are. */
    public synchronized int size() {
        return steps.size() + refused.size();
    }

    /** What cannot be explained, or empty. */
    public synchronized Optional<String> violation() {
        return Optional.ofNullable(contradiction).or(this::surplus).or(() -> HistoryChecker.violation(resolved()));
    }

    /** A write that was seen at more places than there were tries of it that may have stored it. */
    private Optional<String> surplus() {
        Map<String, Integer> tries = new HashMap<>();
        steps.forEach(step -> {
            if (step.effect() instanceof Stored stored) {
                tries.merge(stored.write(), 1, Integer::sum);
            }
        });
        return places.entrySet().stream()
                .filter(seen -> seen.getValue().size() > tries.getOrDefault(seen.getKey(), 0))
                .map(seen -> "Write %s was seen at %s, but may have been stored %d times"
                        .formatted(seen.getKey(), seen.getValue(), tries.getOrDefault(seen.getKey(), 0)))
                .findFirst();
    }

    /**
     * With all that clients learned from each other: a write that somebody saw has happened, by one of the tries whose client
     * was not told.
     */
    private List<Step> resolved() {
        boolean isAllKnown = refused.stream().allMatch(one -> one.actual() == null || writes.containsKey(one.actual()));
        Map<String, Deque<Place>> unexplained = unexplainedPlaces();
        List<Step> resolved = new ArrayList<>();
        for (Step step : steps) {
            if (!step.isCertain() && step.effect() instanceof Stored stored) {
                Place seen = unexplained
                        .getOrDefault(stored.write(), new ArrayDeque<>())
                        .poll();
                if (seen != null) {
                    resolved.add(step.at(seen));
                } else if (!isAllKnown) {
                    resolved.add(step);
                } // else nobody saw it, and it explains nothing
            } else {
                resolved.add(step);
            }
        }
        refused.forEach(one -> resolved.add(Step.happened(
                one.client(),
                one.invoked(),
                one.returned(),
                new Mismatched(
                        one.state(), one.onlyIf(), one.actual() == null ? Conditions.ABSENT : writes.get(one.actual())),
                null)));
        return resolved;
    }

    /** The places of each write that no acknowledgement named, in the order of the log. */
    private Map<String, Deque<Place>> unexplainedPlaces() {
        Map<String, Deque<Place>> unexplained = new HashMap<>();
        places.forEach((write, seen) -> unexplained.put(write, new ArrayDeque<>(seen)));
        steps.forEach(step -> {
            if (step.revision() != null && step.effect() instanceof Stored stored) {
                unexplained.getOrDefault(stored.write(), new ArrayDeque<>()).remove(step.revision());
            }
        });
        return unexplained;
    }
}
