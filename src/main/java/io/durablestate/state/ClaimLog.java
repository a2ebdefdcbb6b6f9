package io.durablestate.state;

import io.durablestate.state.ClaimRecord.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Writes claims, and finds those in effect. Safe for use by any number of threads. */
@Component
public final class ClaimLog {

    private final FoldedLog foldedLog;
    private final Gate gate;
    private final StateWrites writes;

    ClaimLog(FoldedLog foldedLog, Gate gate, StateWrites writes) {
        this.foldedLog = foldedLog;
        this.gate = gate;
        this.writes = writes;
    }

    /**
     * A claim that was written and folded.
     *
     * @param record the claim
     * @param before the claim that was in effect before it, or null
     */
    public record Written(ClaimRecord record, @Nullable ClaimRecord before) {}

    /**
     * Claims a key for a new attempt, which fences all before it: acknowledged by Kafka, and folded by this instance. Blocks
     * like a put with terms.
     *
     * @param worker name of the worker, or null
     * @param expectWithin how long the next write of the key may take, or null
     * @throws StateWriteException when it is not certain that the key was claimed
     * @throws NotServingException when the service does not take writes now; nothing was sent
     */
    public Written claim(String key, @Nullable String worker, @Nullable Duration expectWithin)
            throws InterruptedException {
        ClaimRecord current = findNewest(key).orElse(null);
        Attempt previous = current == null ? null : current.attempt();
        int ordinal = previous == null ? 1 : previous.ordinal() + 1;
        return write(key, new Claim(worker, false, ordinal, previous, expectWithin));
    }

    /**
     * Closes the attempt of a claim: from here on it is fenced, and nobody holds the key. When somebody else claims the key at
     * this very moment, that attempt is closed as well.
     */
    public void close(ClaimRecord claim) throws InterruptedException {
        Attempt attempt = claim.attempt();
        String worker = attempt == null ? null : attempt.worker();
        int ordinal = attempt == null ? 0 : attempt.ordinal();
        write(claim.key(), new Claim(worker, true, ordinal, attempt, null));
    }

    /**
     * Forgets a closed attempt. When somebody claims the key at this very moment, that attempt is closed, since what was
     * forgotten fences nobody.
     */
    public void forget(ClaimRecord closed) throws InterruptedException {
        if (!findNewest(closed.key()).equals(Optional.of(closed))) {
            return;
        }
        ClaimRecord before = write(closed.key(), null).before();
        if (before != null && !before.equals(closed)) {
            close(before);
        }
    }

    private Written write(String key, @Nullable Claim claim) throws InterruptedException {
        writes.begin(Operation.CLAIM);
        StateWrites.Subject subject = writes.subject(Operation.CLAIM, key);
        try (Gate.Permit permit = writes.admit(subject);
                PendingWrite write = writes.prepare(subject, claim)) {
            write.send();
            write.flush();
            RecordMetadata at = write.awaitAcknowledgement();
            Verdicts.Verdict verdict = writes.awaitVerdict(write, at);
            write.succeeded(at);
            ClaimRecord record = new ClaimRecord(key, at.offset(), at.timestamp(), write.writeId(), claim);
            return new Written(record, verdict.claim());
        }
    }

    /**
     * The newest claim on a key of all that any instance had acknowledged before. Blocks while this instance catches up.
     *
     * @throws StateWriteException when Kafka does not answer in time
     */
    public Optional<ClaimRecord> findNewest(String key) {
        writes.begin(Operation.CLAIM);
        writes.catchUp(writes.subject(Operation.CLAIM, key));
        return Optional.ofNullable(foldedLog.index().claim(key));
    }

    /**
     * The newest claim on a key that this instance has read, a closing one included.
     *
     * @throws NotServingException while the log has not been replayed
     */
    public Optional<ClaimRecord> find(String key) {
        gate.requireReplayed();
        return Optional.ofNullable(foldedLog.index().claim(key));
    }

    /**
     * The newest claims of the keys from a key on, in the order of the keys, as they are while one walks through them.
     *
     * @throws NotServingException while the log has not been replayed
     */
    public Collection<ClaimRecord> claimsFrom(String key, boolean inclusive) {
        gate.requireReplayed();
        return foldedLog.index().claimsFrom(key, inclusive);
    }

    /** An attempt was refused what only the current one may do; it is among the failures. */
    public WriteRefusedException refuse(ClaimRecord current, long attempt) {
        return writes.refuse(
                writes.subject(Operation.CLAIM, current.key()),
                new Terms(null, attempt, null),
                Refusal.Fenced.by(current, attempt));
    }

    /** Whether the next write of a key is overdue. */
    public boolean isOverdue(String key, Instant now) {
        return foldedLog.deadlines().isOverdue(key, now);
    }
}
