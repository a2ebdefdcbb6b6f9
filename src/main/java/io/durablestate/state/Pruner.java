package io.durablestate.state;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/** Deletes many states of a key: all are sent, then each is waited for. */
@Component
final class Pruner {

    /** Deletions that are under way together. */
    private static final int CHUNK = 500;

    private final FoldedLog foldedLog;
    private final StateWrites writes;
    private final Arbiter arbiter;

    Pruner(FoldedLog foldedLog, StateWrites writes, Arbiter arbiter) {
        this.foldedLog = foldedLog;
        this.writes = writes;
        this.arbiter = arbiter;
    }

    PruneResult prune(String key, long throughSequence, boolean completedOnly, boolean dryRun)
            throws InterruptedException {
        writes.begin(Operation.PRUNE);
        writes.catchUp(writes.subject(Operation.PRUNE, key));
        List<BatchWrite> candidates = candidates(key, throughSequence, completedOnly);
        if (dryRun) {
            return new PruneResult(candidates.size(), 0);
        }
        PruneResult done = new PruneResult(0, 0);
        for (int from = 0; from < candidates.size(); from += CHUNK) {
            try {
                done = done.plus(deleteAll(candidates.subList(from, Math.min(from + CHUNK, candidates.size()))));
            } catch (StateWriteException | NotServingException e) {
                if (from == 0) {
                    throw e;
                }
                return done.plus(new PruneResult(0, candidates.size() - from)); // running it again takes up the rest
            }
        }
        return done;
    }

    private List<BatchWrite> candidates(String key, long throughSequence, boolean completedOnly) {
        List<BatchWrite> candidates = new ArrayList<>();
        StateFilter filter =
                new StateFilter(key, null, null, throughSequence, null, completedOnly ? true : null, null, null);
        foldedLog.index().scan(filter.start(), (state, version) -> {
            if (filter.matches(state, version)) {
                candidates.add(new BatchWrite(state, null, Terms.onlyIf(version)));
            }
            return !filter.isPast(state);
        });
        return candidates;
    }

    private PruneResult deleteAll(List<BatchWrite> deletions) throws InterruptedException {
        StateIndex.Generation generation = writes.begin(Operation.PRUNE);
        StateWrites.Subject first =
                writes.subject(Operation.PRUNE, deletions.get(0).key());
        List<BatchResult> results;
        try (Gate.Permit permit = writes.admit(first);
                WriteRound together = new WriteRound(generation, foldedLog, writes, arbiter)) {
            for (BatchWrite deletion : deletions) {
                together.send(writes.subject(Operation.PRUNE, deletion.key()), deletion, () -> null);
            }
            results = together.finish();
        }
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new InterruptedException("Interrupted while pruning; what failed is among the failures");
        }
        return results.stream().map(Pruner::count).reduce(new PruneResult(0, 0), PruneResult::plus);
    }

    /** A deletion that was refused counts when the state is gone all the same; else it was written anew meanwhile, and stays. */
    private static PruneResult count(BatchResult result) {
        if (!(result instanceof BatchResult.Failed failed)) {
            return new PruneResult(1, 0);
        }
        if (failed.failure() instanceof WriteRefusedException refused) {
            return new PruneResult(isGone(refused.refusal()) ? 1 : 0, 0);
        }
        return new PruneResult(0, 1);
    }

    /** An earlier deletion, whose outcome nobody knew, has come before. */
    private static boolean isGone(Refusal refusal) {
        return refusal instanceof Refusal.Mismatch mismatch && mismatch.current() == null;
    }
}
