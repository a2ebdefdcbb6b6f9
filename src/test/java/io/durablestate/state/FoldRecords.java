package io.durablestate.state;

import io.durablestate.state.ClaimRecord.Claim;
import io.durablestate.state.StateRecord.Expectation;
import org.jspecify.annotations.Nullable;

/** Records of partition 0 as the fold gets them, in the words of the log format. A record's timestamp is its offset. */
final class FoldRecords {

    private FoldRecords() {}

    static StateRecord put(StateKey key, long offset) {
        return record(key, version(offset, offset), null);
    }

    static StateRecord deletion(StateKey key, long offset) {
        return record(key, new Deletion(offset, offset), null);
    }

    /**
     * Says that, as of an offset, the state with a revision is in effect.
     *
     * @param restores offset of the revision, null when the state was not there
     */
    static StateRecord restore(StateKey key, long offset, long asOf, @Nullable Long restores) {
        FoldedState content = restores == null ? new Deletion(offset, offset) : version(restores, offset);
        return record(key, content, asOf);
    }

    private static StateRecord record(StateKey key, FoldedState content, @Nullable Long asOf) {
        return new StateRecord(key, content, "write-" + content.offset(), null, null, asOf);
    }

    static StateRecord forAttempt(@Nullable Long attempt, StateRecord record) {
        return new StateRecord(
                record.key(), record.content(), record.writeId(), attempt, record.ifRevision(), record.asOf());
    }

    /** @param revision offset of the revision that must be in effect, null when the state must not be there */
    static StateRecord onlyIf(@Nullable Long revision, StateRecord record) {
        return expecting(new Expectation(revision == null ? null : new Revision(0, revision)), record);
    }

    static StateRecord expecting(@Nullable Expectation expectation, StateRecord record) {
        return new StateRecord(
                record.key(), record.content(), record.writeId(), record.attempt(), expectation, record.asOf());
    }

    static StateRecord asOf(@Nullable Long asOf, StateRecord record) {
        return new StateRecord(
                record.key(), record.content(), record.writeId(), record.attempt(), record.ifRevision(), asOf);
    }

    static StateRecord withContent(FoldedState content, StateRecord record) {
        return new StateRecord(
                record.key(), content, record.writeId(), record.attempt(), record.ifRevision(), record.asOf());
    }

    static ClaimRecord claim(String key, long offset) {
        return new ClaimRecord(key, offset, offset, "claim-" + offset, new Claim("worker", false, 0, null, null));
    }

    static ClaimRecord closingClaim(String key, long offset) {
        return new ClaimRecord(key, offset, offset, "claim-" + offset, new Claim("worker", true, 0, null, null));
    }

    static ClaimRecord forgottenClaim(String key, long offset) {
        return new ClaimRecord(key, offset, offset, "claim-" + offset, null);
    }

    /** A state whose revision lies at one offset and whose bytes lie at another. */
    static StateVersion version(long writtenAt, long offset) {
        return new StateVersion(0, writtenAt, offset, offset, 4, false, null, "text/plain", "write-" + writtenAt);
    }
}
