package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/**
 * Names a write: what it is for, and its id. Two writes have the same one when a caller repeats one under its own id.
 *
 * @param key the business key
 * @param state the state it is for, or null when it is for the key as a whole
 * @param writeId stands in the record, so that the log can tell what became of it
 */
public record WriteIdentity(String key, @Nullable StateKey state, String writeId) {

    /** A write of a state. */
    public static WriteIdentity of(StateKey state, String writeId) {
        return new WriteIdentity(state.key(), state, writeId);
    }

    /** A restore, whose record bears the id of the write that it restores: another write than that one. */
    static WriteIdentity ofRestore(StateKey state, String writeId, long asOf) {
        return of(state, "restore-%d-%s".formatted(asOf, writeId));
    }
}
