package io.durablestate.state;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Appends restores: what a void record hides from compaction is written once more behind it, as it was.
 *
 * <p>Whoever wrote the void record does so at once. What a writer left that was killed, any instance makes good soon.
 */
@Component
final class Restorer {

    private static final Logger log = LoggerFactory.getLogger(Restorer.class);

    /** How long a writer has to make good its own void record. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    /** Restores of one state in a row; each one but the last was overtaken. */
    private static final int TRIES = 20;

    private final StateLog stateLog;
    private final FoldedLog foldedLog;
    private final Bodies bodies;
    private final StateWrites writes;
    private final Gate gate;
    private final Clock clock;

    /** One restore of a state at a time: whoever waited finds its void record made good. */
    private final List<ReentrantLock> turns =
            Stream.generate(ReentrantLock::new).limit(64).toList();

    Restorer(StateLog stateLog, FoldedLog foldedLog, Bodies bodies, StateWrites writes, Gate gate, Clock clock) {
        this.stateLog = stateLog;
        this.foldedLog = foldedLog;
        this.bodies = bodies;
        this.writes = writes;
        this.gate = gate;
        this.clock = clock;
    }

    /**
     * Makes good what is hidden of a state, if anything is. A failure is among the failures and is not thrown: the sweep tries
     * again. Blocks like a write, and while the reader comes to it.
     *
     * @throws InterruptedException when interrupted; what is hidden stays to the sweep
     */
    void restore(StateKey key) throws InterruptedException {
        ReentrantLock turn = turns.get(Math.floorMod(key.hashCode(), turns.size()));
        turn.lockInterruptibly();
        try {
            for (int i = 0; i < TRIES; i++) {
                VoidRecords.Hidden hidden = foldedLog.voidRecords().find(key);
                if (hidden == null || !restoreOnce(key, hidden)) {
                    return;
                }
            }
            log.warn("A state could not be restored in {} tries; it is tried again", TRIES);
        } catch (StateWriteException | NotServingException e) {
            log.warn("A state could not be restored, and is tried again: {}", e.toString());
        } finally {
            turn.unlock();
        }
    }

    /** Says whether there is a reason to look again. */
    private boolean restoreOnce(StateKey key, VoidRecords.Hidden hidden) throws InterruptedException {
        StateWrites.Subject subject = writes.subject(Operation.RESTORE, key);
        Restore restore = restoreOf(key, hidden);
        if (restore == null) {
            stateLog.catchUp(hidden.partition()); // something newer has taken the bytes away
            return true;
        }
        try (PendingWrite write = writes.prepare(subject, key, restore)) {
            write.send();
            write.flush();
            RecordMetadata metadata = write.awaitAcknowledgement();
            write.succeeded(metadata);
            return writes.awaitFolded(metadata.partition(), metadata.offset());
        }
    }

    private @Nullable Restore restoreOf(StateKey key, VoidRecords.Hidden hidden) throws InterruptedException {
        if (!(hidden.inEffect() instanceof StateVersion version)) {
            return Restore.ofNothing(hidden.asOf());
        }
        byte[] body = bodies.of(key, version);
        return body == null ? null : Restore.of(hidden.asOf(), version, body);
    }

    /** Makes good what writers have left behind. */
    @Scheduled(fixedDelayString = "PT15S")
    void sweep() {
        if (foldedLog.voidRecords().size() == 0 || !isServing()) {
            return;
        }
        List<StateKey> left =
                foldedLog.voidRecords().olderThan(clock.instant().minus(GRACE).toEpochMilli());
        try {
            for (StateKey key : left) {
                restore(key);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isServing() {
        try {
            gate.requireReplayed();
            return true;
        } catch (NotServingException e) {
            return false;
        }
    }
}
