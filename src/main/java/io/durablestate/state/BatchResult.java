package io.durablestate.state;

/** What became of one write among several. */
public sealed interface BatchResult {

    /** The state was stored, or had been by the same write before. */
    record Stored(PutResult result) implements BatchResult {}

    /** The state was deleted. */
    record Deleted() implements BatchResult {}

    /** There was no state to delete. */
    record Missing() implements BatchResult {}

    /** The write failed, with what a put or a delete would have thrown. */
    record Failed(Exception failure) implements BatchResult {}
}
