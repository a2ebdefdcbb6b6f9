package io.durablestate.state;

/**
 * A state that is not there: deleted, or never written.
 *
 * @param offset where the deletion lies
 * @param timestamp when it was written, in milliseconds since the epoch
 */
public record Deletion(long offset, long timestamp) implements FoldedState {

    /** A state of which the log says nothing. */
    static final Deletion NEVER_WRITTEN = new Deletion(-1, 0);
}
