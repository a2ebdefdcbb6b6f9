package io.durablestate.state;

/** Hears of every state record that was folded, on the log reader's thread: must be quick and must not throw. */
@FunctionalInterface
public interface FoldListener {

    void folded(int partition, StateRecord record, Judgement judgement);
}
