package io.durablestate.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Makes several writes together: all are sent, each lane is flushed once, and each is acknowledged on its own. */
@Service
public final class BatchService {

    private final FoldedLog foldedLog;
    private final StateWrites writes;
    private final Arbiter arbiter;

    BatchService(FoldedLog foldedLog, StateWrites writes, Arbiter arbiter) {
        this.foldedLog = foldedLog;
        this.writes = writes;
        this.arbiter = arbiter;
    }

    /**
     * Makes each write, with the promise of {@link DurableStateService#put}; not atomic: some may fail while others succeed.
     * Two writes of one state take effect in their order. Blocks like a put, once more for each time that a state repeats.
     *
     * @return what became of each, in order
     * @throws NotServingException when the service does not take writes now; nothing was sent
     */
    public List<BatchResult> write(List<BatchWrite> batch) {
        Rounds rounds = new Rounds(writes.begin(Operation.BATCH));
        List<BatchResult> results = new ArrayList<>();
        List<BatchWrite> round = new ArrayList<>();
        Set<StateKey> states = new HashSet<>();
        for (BatchWrite write : batch) {
            if (!states.add(write.key())) {
                results.addAll(rounds.make(round));
                round.clear();
                states.clear();
                states.add(write.key());
            }
            round.add(write);
        }
        results.addAll(rounds.make(round));
        return results;
    }

    /** One batch on its way. */
    private final class Rounds {

        private final StateIndex.Generation generation;

        /** What Kafka did not let happen, by partition: nobody waits for it twice. */
        private final Map<Integer, NotServingException> unreachable = new HashMap<>();

        private Rounds(StateIndex.Generation generation) {
            this.generation = generation;
        }

        /** Makes writes of different states. */
        private List<BatchResult> make(List<BatchWrite> round) {
            Map<Integer, Gate.Permit> permits = new HashMap<>();
            try (WriteRound together = new WriteRound(generation, foldedLog, writes, arbiter)) {
                for (BatchWrite write : round) {
                    StateWrites.Subject subject = writes.subject(Operation.BATCH, write.key());
                    together.send(subject, write, () -> prepare(subject, write, permits));
                }
                return together.finish();
            } finally {
                permits.values().forEach(Gate.Permit::close);
            }
        }

        private @Nullable BatchResult prepare(
                StateWrites.Subject subject, BatchWrite write, Map<Integer, Gate.Permit> permits) {
            NotServingException known = unreachable.get(subject.partition());
            if (known != null) {
                throw writes.unsent(subject, known);
            }
            try {
                return admit(subject, write, permits);
            } catch (StateWriteException e) {
                if (e.getCause() instanceof NotServingException fault) {
                    unreachable.put(subject.partition(), fault);
                }
                throw e;
            }
        }

        private @Nullable BatchResult admit(
                StateWrites.Subject subject, BatchWrite write, Map<Integer, Gate.Permit> permits) {
            if (write.document() == null && writes.isMissing(subject, write.key())) {
                return new BatchResult.Missing();
            }
            StateVersion applied = arbiter.look(subject, write.key(), write.conditions());
            if (applied != null) {
                return new BatchResult.Stored(PutResult.alreadyApplied(applied.receipt(write.key())));
            }
            if (!permits.containsKey(subject.partition())) {
                permits.put(subject.partition(), writes.admit(subject));
            }
            return null;
        }
    }
}
