package io.durablestate.history;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is in effect for one key at a moment.
 *
 * @param states the write that stored each state which is there
 * @param holder the worker of the newest claim, or the one that closed its own after that; null when there is none
 * @param isClosed whether the attempt is closed, so that nobody holds the key
 */
record Register(Map<String, String> states, @Nullable String holder, boolean isClosed) {

    static final Register EMPTY = new Register(Map.of(), null, false);

    @Nullable
    String writeOf(String state) {
        return states.get(state);
    }

    Register with(String state, @Nullable String write) {
        Map<String, String> changed = new HashMap<>(states);
        if (write == null) {
            changed.remove(state);
        } else {
            changed.put(state, write);
        }
        return new Register(Map.copyOf(changed), holder, isClosed);
    }

    Register claimedBy(String worker) {
        return new Register(states, worker, false);
    }

    Register closedBy(String worker) {
        return new Register(states, worker, true);
    }

    boolean isHeldBy(String worker) {
        return worker.equals(holder) && !isClosed;
    }
}
