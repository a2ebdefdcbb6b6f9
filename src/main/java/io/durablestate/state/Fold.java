package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/**
 * The rules that give the records of the state log their meaning.
 *
 * <p>A pure function: the same records in the same order give the same states, whoever reads them and when. No I/O, no
 * clock, no threads.
 */
final class Fold {

    private Fold() {}

    /**
     * Judges a state record.
     *
     * <p>Unknown, as against deleted, is a state of which a replay has not met a record yet: the record that a condition
     * speaks of may have been compacted away, so what survived is trusted. A void record never survives alone, since its
     * writer, or any instance after it, restores what it hides.
     *
     * @param before what the records before it made of the state, null while unknown
     * @param currentAttempt number of the newest claim on the key, null when none is known
     * @param record the record, the next one of its partition
     */
    static Judgement judge(@Nullable FoldedState before, @Nullable Long currentAttempt, StateRecord record) {
        boolean isVoid = record.asOf() != null
                ? comesTooLate(before, record.asOf())
                : isFenced(currentAttempt, record) || missesItsExpectation(before, record);
        return isVoid ? new Judgement(false, before) : new Judgement(true, record.content());
    }

    /** A restore speaks of the log up to {@code asOf}; what took effect after that is newer. */
    private static boolean comesTooLate(@Nullable FoldedState before, long asOf) {
        return before != null && before.offset() > asOf;
    }

    private static boolean isFenced(@Nullable Long currentAttempt, StateRecord record) {
        return record.attempt() != null && currentAttempt != null && currentAttempt > record.attempt();
    }

    private static boolean missesItsExpectation(@Nullable FoldedState before, StateRecord record) {
        return record.ifRevision() != null
                && before != null
                && !record.ifRevision().isMetBy(before);
    }
}
