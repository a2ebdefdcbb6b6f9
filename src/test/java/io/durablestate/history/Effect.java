package io.durablestate.history;

import org.jspecify.annotations.Nullable;

/** What a call did or showed, by the rules of the fold. States are known by the write that stored them. */
public sealed interface Effect {

    /** Returns the register after it, or null when it cannot have happened on this one. */
    @Nullable
    Register on(Register before);

    /** Whether it leaves the register as it is. */
    default boolean isObservation() {
        return true;
    }

    /**
     * What a write asks for.
     *
     * @param onlyIf the write whose state has to be there, {@link #ABSENT} when none may be, or null for no condition
     * @param worker the worker that has to hold the key, or null for no condition
     */
    record Conditions(@Nullable String onlyIf, @Nullable String worker) {

        public static final String ABSENT = "";

        public static final Conditions NONE = new Conditions(null, null);

        boolean hold(Register register, String state) {
            return isMet(register.writeOf(state)) && (worker == null || register.isHeldBy(worker));
        }

        private boolean isMet(@Nullable String write) {
            return onlyIf == null || onlyIf.equals(write == null ? ABSENT : write);
        }
    }

    /** A write took effect. */
    record Stored(String state, String write, Conditions conditions) implements Effect {
        @Override
        public @Nullable Register on(Register before) {
            return conditions.hold(before, state) ? before.with(state, write) : null;
        }

        @Override
        public boolean isObservation() {
            return false;
        }
    }

    /** A deletion took effect. */
    record Deleted(String state, Conditions conditions) implements Effect {
        @Override
        public @Nullable Register on(Register before) {
            return conditions.hold(before, state) ? before.with(state, null) : null;
        }

        @Override
        public boolean isObservation() {
            return false;
        }
    }

    /**
     * A state was read, or found missing.
     *
     * @param write the write that stored it, or null
     */
    record Saw(String state, @Nullable String write) implements Effect {
        @Override
        public @Nullable Register on(Register before) {
            String actual = before.writeOf(state);
            return (write == null ? actual == null : write.equals(actual)) ? before : null;
        }
    }

    /**
     * A write was refused since the state was not the one that it asked for.
     *
     * @param actual the write whose state was there, {@link Conditions#ABSENT} when none was, or null when nobody can tell
     */
    record Mismatched(String state, String onlyIf, @Nullable String actual) implements Effect {
        @Override
        public @Nullable Register on(Register before) {
            String there = before.writeOf(state);
            boolean isSo = !new Conditions(onlyIf, null).isMet(there) && new Conditions(actual, null).isMet(there);
            return isSo ? before : null;
        }
    }

    /** A worker claimed the key; each claim has a worker of its own. */
    record Claimed(String worker) implements Effect {
        @Override
        public Register on(Register before) {
            return before.claimedBy(worker);
        }

        @Override
        public boolean isObservation() {
            return false;
        }
    }

    /** A worker closed its attempt, and with it that of whoever had claimed the key at this very moment. */
    record Closed(String worker) implements Effect {
        @Override
        public Register on(Register before) {
            return before.closedBy(worker);
        }

        @Override
        public boolean isObservation() {
            return false;
        }
    }

    /**
     * A worker was told that it does not hold the key.
     *
     * @param holder the worker that does, or that closed the last attempt
     */
    record Fenced(String worker, String holder, boolean closed) implements Effect {
        @Override
        public @Nullable Register on(Register before) {
            boolean isSo = holder.equals(before.holder()) && closed == before.isClosed() && !before.isHeldBy(worker);
            return isSo ? before : null;
        }
    }
}
