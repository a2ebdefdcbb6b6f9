package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/**
 * A record that writes, deletes or restores a state.
 *
 * @param key the state it speaks of
 * @param content what the state is if the record takes effect
 * @param writeId the write that it belongs to
 * @param attempt the attempt it was written for, or null
 * @param ifRevision what must be in effect for it to take effect, or null
 * @param asOf for a restore, the offset as of which its content is in effect, else null
 * @param timestamp when the record was written, in milliseconds since the epoch; a restore's content is older
 */
public record StateRecord(
        StateKey key,
        FoldedState content,
        String writeId,
        @Nullable Long attempt,
        @Nullable Expectation ifRevision,
        @Nullable Long asOf,
        long timestamp)
        implements LogRecord {

    /** A record that is as old as what it says. */
    public StateRecord(
            StateKey key,
            FoldedState content,
            String writeId,
            @Nullable Long attempt,
            @Nullable Expectation ifRevision,
            @Nullable Long asOf) {
        this(key, content, writeId, attempt, ifRevision, asOf, content.timestamp());
    }

    @Override
    public long offset() {
        return content.offset();
    }

    @Override
    public String businessKey() {
        return key.key();
    }

    /** The write that it belongs to. */
    public WriteIdentity identity() {
        return asOf == null ? WriteIdentity.of(key, writeId) : WriteIdentity.ofRestore(key, writeId, asOf);
    }

    /**
     * The revision that a writer saw.
     *
     * @param revision the revision, or null when the state was not there
     */
    public record Expectation(@Nullable Revision revision) {

        boolean isMetBy(FoldedState state) {
            return state instanceof StateVersion version ? version.revision().equals(revision) : revision == null;
        }
    }
}
