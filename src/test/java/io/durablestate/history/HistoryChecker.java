package io.durablestate.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order of the calls on one key that explains what every client saw: each call takes place at one moment between
 * its start and its answer, those whose place in the log is known take place in the order of the log, and each obeys the
 * rules of the fold. A call of unknown outcome takes place once or never.
 *
 * <p>The search goes depth first and never twice through the same situation. A call that only observes is taken as soon as it
 * fits, since that rules nothing out; so what is left to try is where the unknown calls and the deletions stand.
 */
public final class HistoryChecker {

    /** Situations to look at before giving up; no history of these tests has come near. */
    private static final int LIMIT = 2_000_000;

    private record Situation(BitSet done, Register register) {}

    private final List<Step> steps;
    private final Map<Step, Integer> indexes = new HashMap<>();
    private final Set<Situation> seen = new HashSet<>();
    private Situation farthest = new Situation(new BitSet(), Register.EMPTY);

    private HistoryChecker(List<Step> steps) {
        this.steps = steps;
        for (int i = 0; i < steps.size(); i++) {
            indexes.put(steps.get(i), i);
        }
    }

    /**
     * Checks the calls on one key, from when there was nothing of it.
     *
     * @return what cannot be explained, or empty
     */
    public static Optional<String> violation(List<Step> calls) {
        List<Step> steps = new ArrayList<>(calls);
        steps.sort(Comparator.comparingLong(Step::invoked));
        return new HistoryChecker(steps).search();
    }

    private Optional<String> search() {
        Deque<Situation> open = new ArrayDeque<>();
        open.push(new Situation(new BitSet(), Register.EMPTY));
        while (!open.isEmpty()) {
            Situation situation = observed(open.pop());
            if (isComplete(situation.done())) {
                return Optional.empty();
            }
            if (!seen.add(situation)) {
                continue;
            }
            if (seen.size() > LIMIT) {
                throw new IllegalStateException("The history has too many unknown calls to be checked");
            }
            if (situation.done().cardinality() > farthest.done().cardinality()) {
                farthest = situation;
            }
            candidates(situation.done()).forEach(index -> {
                Register after = steps.get(index).effect().on(situation.register());
                if (after != null) {
                    open.push(new Situation(with(situation.done(), index), after));
                }
            });
        }
        return Optional.of(explanation());
    }

    /** Takes everything that only observes and fits. */
    private Situation observed(Situation situation) {
        BitSet done = (BitSet) situation.done().clone();
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int index : candidates(done)) {
                Effect effect = steps.get(index).effect();
                if (effect.isObservation() && effect.on(situation.register()) != null) {
                    done.set(index);
                    changed = true;
                }
            }
        }
        return new Situation(done, situation.register());
    }

    /** What can come next: nothing that has to come before it is left. */
    private List<Integer> candidates(BitSet done) {
        long firstReturn = Long.MAX_VALUE;
        long nextOffset = Long.MAX_VALUE;
        for (int i = done.nextClearBit(0); i < steps.size(); i = done.nextClearBit(i + 1)) {
            Step step = steps.get(i);
            firstReturn = Math.min(firstReturn, step.returned());
            nextOffset = Math.min(nextOffset, offset(step, Long.MAX_VALUE));
        }
        List<Integer> candidates = new ArrayList<>();
        for (int i = done.nextClearBit(0); i < steps.size(); i = done.nextClearBit(i + 1)) {
            Step step = steps.get(i);
            if (step.invoked() > firstReturn) {
                break;
            }
            boolean isFree = step.after() == null || done.get(indexOf(step.after()));
            if (isFree && offset(step, nextOffset) == nextOffset) {
                candidates.add(i);
            }
        }
        return candidates;
    }

    private static long offset(Step step, long ifUnknown) {
        Step.Place place = step.revision();
        return place == null ? ifUnknown : place.offset();
    }

    private int indexOf(Step step) {
        @Nullable Integer index = indexes.get(step);
        if (index == null) {
            throw new IllegalArgumentException("Not a step of this history: " + step);
        }
        return index;
    }

    private boolean isComplete(BitSet done) {
        for (int i = done.nextClearBit(0); i < steps.size(); i = done.nextClearBit(i + 1)) {
            if (steps.get(i).isCertain()) {
                return false;
            }
        }
        return true;
    }

    private static BitSet with(BitSet done, int index) {
        BitSet more = (BitSet) done.clone();
        more.set(index);
        return more;
    }

    private String explanation() {
        StringBuilder text = new StringBuilder(
                "No order explains the history. The longest one has %d of %d calls and leaves %s; then none of these fits:"
                        .formatted(farthest.done().cardinality(), steps.size(), farthest.register()));
        candidates(farthest.done()).forEach(index -> text.append("\n  ").append(steps.get(index)));
        return text.toString();
    }
}
