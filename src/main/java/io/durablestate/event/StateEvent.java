package io.durablestate.event;

import io.durablestate.failure.Failure;
import io.durablestate.state.Attempt;
import io.durablestate.state.Deadline;
import io.durablestate.state.Revision;
import io.durablestate.state.StateKey;
import io.durablestate.state.StateReceipt;
import java.time.Instant;

/** Something that happened to a key. */
public sealed interface StateEvent {

    /** The business key. */
    String key();

    /** A state was stored. */
    record Stored(StateReceipt receipt) implements StateEvent {
        @Override
        public String key() {
            return receipt.key().key();
        }
    }

    /**
     * A state was deleted.
     *
     * @param at where the deletion lies
     */
    record Deleted(StateKey state, Revision at, Instant timestamp) implements StateEvent {
        @Override
        public String key() {
            return state.key();
        }
    }

    /** A key was claimed, or its attempt was closed. */
    record AttemptChanged(String key, Attempt attempt) implements StateEvent {}

    /** A write failed on this instance, or its outcome became known. */
    record Failed(Failure failure) implements StateEvent {
        @Override
        public String key() {
            return failure.write().key();
        }
    }

    /** The next write of a key is overdue. */
    record Overdue(Deadline deadline) implements StateEvent {
        @Override
        public String key() {
            return deadline.key();
        }
    }
}
