package io.durablestate.state;

/** Hears of every record that was folded, on the log reader's thread: must be quick and must not throw. */
public interface FoldListener {

    /** The log is read from its beginning; what was heard before does not count any more. */
    default void replayStarts(int partitions) {}

    /** A record of a state was folded. */
    default void folded(int partition, StateRecord record, Judgement judgement) {}

    /** A claim was folded. */
    default void claimed(int partition, ClaimRecord record) {}

    /** There is no record before this offset of a partition that was not heard of and will be. */
    default void passed(int partition, long position) {}
}
