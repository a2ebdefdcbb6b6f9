package io.durablestate.history;

import io.durablestate.history.Effect.Conditions;
import io.durablestate.history.Effect.Mismatched;
import io.durablestate.history.Effect.Stored;
import io.durablestate.history.Step.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final Map<String, Place> places = new HashMap<>();
    private @Nullable String contradiction;

    /** Takes note of a call that happened, or may have. */
    public synchronized Step add(Step step) {
        steps.add(step);
        return step;
    }

    /** Takes note of where somebody saw the record of a write. */
    public synchronized void saw(Place place, String write) {
        String otherWrite = writes.putIfAbsent(place, write);
        Place otherPlace = places.putIfAbsent(write, place);
        if ((otherWrite != null && !otherWrite.equals(write)) || (otherPlace != null && !otherPlace.equals(place))) {
            contradiction = "%s was seen as write %s, and write %s at %s before"
                    .formatted(
                            place,
                            write,
                            otherWrite == null ? write : otherWrite,
                            otherPlace == null ? place : otherPlace);
        }
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
        return contradiction == null ? HistoryChecker.violation(resolved()) : Optional.of(contradiction);
    }

    /** With all that clients learned from each other: a write that somebody saw has happened. */
    private List<Step> resolved() {
        boolean isAllKnown = refused.stream().allMatch(one -> one.actual() == null || writes.containsKey(one.actual()));
        List<Step> resolved = new ArrayList<>();
        for (Step step : steps) {
            if (!step.isCertain() && step.effect() instanceof Stored stored) {
                Place seen = places.get(stored.write());
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
}
