package io.durablestate.fault;

import io.durablestate.state.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The faults that are armed. Safe for use by any number of threads. */
public final class FaultKit {

    /** One that is armed, and how often it has struck. */
    public record Armed(Fault fault, int fired) {}

    @SuppressWarnings("ThreadLocalUsage") // there is one kit, as long as the process lives
    private final ThreadLocal<@Nullable Fault> ofThisRequest = new ThreadLocal<>();

    private List<Armed> armed = List.of();

    FaultKit() {}

    /** Arms these faults instead of those before. */
    public synchronized void arm(List<Fault> faults) {
        armed = faults.stream().map(fault -> new Armed(fault, 0)).toList();
    }

    /** The faults that were armed last, those that have struck often enough included. */
    public synchronized List<Armed> armed() {
        return armed;
    }

    /**
     * A write begins on this thread, until {@link #end}.
     *
     * @param key the key it is for, null when it is for several
     * @return the first armed fault that matches and has not struck often enough; it strikes now
     */
    public Optional<Fault> begin(Operation operation, @Nullable String key) {
        Optional<Fault> struck = strike(operation, key);
        ofThisRequest.set(struck.orElse(null));
        return struck;
    }

    private synchronized Optional<Fault> strike(Operation operation, @Nullable String key) {
        for (int i = 0; i < armed.size(); i++) {
            Armed candidate = armed.get(i);
            if (candidate.fired() < candidate.fault().count()
                    && candidate.fault().matches(operation, key)) {
                List<Armed> after = new ArrayList<>(armed);
                after.set(i, new Armed(candidate.fault(), candidate.fired() + 1));
                armed = List.copyOf(after);
                return Optional.of(candidate.fault());
            }
        }
        return Optional.empty();
    }

    /** What the write on this thread meets, or null. */
    @Nullable
    FaultKind current() {
        Fault fault = ofThisRequest.get();
        return fault == null ? null : fault.kind();
    }

    /** The write on this thread has ended. */
    public void end() {
        ofThisRequest.remove();
    }
}
