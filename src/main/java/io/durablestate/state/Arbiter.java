package io.durablestate.state;

import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Decides on conditional writes: before they are sent by what this instance knows, afterwards by what the log says.
 *
 * <p>Only the log decides that a write took effect. The look before it spares the log most of the writes that would be void,
 * and is part of the rules: a writer must have met what it expects.
 */
@Component
final class Arbiter {

    private final StateWrites writes;
    private final FoldedLog foldedLog;
    private final Restorer restorer;

    Arbiter(StateWrites writes, FoldedLog foldedLog, Restorer restorer) {
        this.writes = writes;
        this.foldedLog = foldedLog;
        this.restorer = restorer;
    }

    /**
     * Looks whether a write may be sent. Blocks while it catches up with the log, when it looks as if it may not.
     *
     * @return the version in effect, when this very write has stored it already; null when the write may be sent
     * @throws WriteRefusedException when its terms do not hold
     */
    @Nullable
    StateVersion look(StateWrites.Subject subject, StateKey key, Terms terms) {
        if (!terms.areConditional()) {
            return null;
        }
        writes.requireFollowing(subject);
        Refusal refusal = refusal(key, terms);
        if (refusal != null) {
            writes.catchUp(subject);
            refusal = refusal(key, terms);
        }
        if (refusal == null) {
            return null;
        }
        StateVersion current = foldedLog.index().find(key);
        if (isOwn(current, terms)) {
            return current;
        }
        throw writes.refuse(subject, terms, refusal);
    }

    private @Nullable Refusal refusal(StateKey key, Terms terms) {
        StateVersion version = foldedLog.index().find(key);
        FoldedState state = version == null ? Deletion.NEVER_WRITTEN : version;
        return refusal(state, foldedLog.index().claim(key.key()), terms);
    }

    private static @Nullable Refusal refusal(FoldedState state, @Nullable ClaimRecord claim, Terms terms) {
        if (terms.attempt() != null && claim != null && claim.offset() > terms.attempt()) {
            return Refusal.Fenced.by(claim, terms.attempt());
        }
        if (terms.ifRevision() != null && !terms.ifRevision().isMetBy(state)) {
            return new Refusal.Mismatch(state instanceof StateVersion version ? version.revision() : null);
        }
        return null;
    }

    private static boolean isOwn(@Nullable FoldedState state, Terms terms) {
        return state instanceof StateVersion version && version.writeId().equals(terms.idempotencyKey());
    }

    /**
     * Waits for the log's verdict on an acknowledged write; one that has none to wait for took effect. Restores what a void
     * record hides before it says so.
     *
     * @return the version in effect, when the record is void and an earlier one of this very write has stored it; null when
     *     the record took effect
     * @throws WriteRefusedException when the record is void
     * @throws StateWriteException when this instance does not come to the record in time: the outcome is unknown
     */
    @Nullable
    StateVersion judge(PendingWrite write, StateKey key, Terms terms, RecordMetadata at) throws InterruptedException {
        if (!terms.areConditional()) {
            return null;
        }
        Verdicts.Verdict verdict = writes.awaitVerdict(write, at);
        if (verdict.tookEffect()) {
            return null;
        }
        restore(key);
        FoldedState inEffect = verdict.inEffect() == null ? Deletion.NEVER_WRITTEN : verdict.inEffect();
        if (isOwn(inEffect, terms)) {
            write.succeeded(at);
            return (StateVersion) inEffect;
        }
        Refusal refusal = refusal(inEffect, verdict.claim(), terms);
        if (refusal == null) {
            throw new IllegalStateException("A record is void at %s, and no rule says why".formatted(at));
        }
        throw write.refused(refusal);
    }

    /** The verdict stands, whatever becomes of the restore. */
    private void restore(StateKey key) {
        try {
            restorer.restore(key);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
