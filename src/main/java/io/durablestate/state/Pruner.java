package io.durablestate.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
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

    private record Candidate(StateKey key, StateVersion version) {}

    PruneResult prune(String key, long throughSequence, boolean completedOnly, boolean dryRun)
            throws InterruptedException {
        writes.begin(Operation.PRUNE);
        writes.catchUp(writes.subject(Operation.PRUNE, key));
        List<Candidate> candidates = candidates(key, throughSequence, completedOnly);
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

    private List<Candidate> candidates(String key, long throughSequence, boolean completedOnly) {
        List<Candidate> candidates = new ArrayList<>();
        StateFilter filter =
                new StateFilter(key, null, null, throughSequence, null, completedOnly ? true : null, null, null);
        foldedLog.index().scan(filter.start(), (state, version) -> {
            if (filter.matches(state, version)) {
                candidates.add(new Candidate(state, version));
            }
            return !filter.isPast(state);
        });
        return candidates;
    }

    /** The deletion of one state on its way. */
    private static final class Step implements AutoCloseable {

        private final Candidate candidate;
        private final PendingWrite write;
        private @Nullable RecordMetadata acknowledged;
        private PruneResult result = new PruneResult(0, 0);
        private boolean isOpen = true;

        private Step(Candidate candidate, PendingWrite write) {
            this.candidate = candidate;
            this.write = write;
        }

        /**
         * Goes on with this deletion; when that fails, it is among the failures and the others go on. An interrupt stays set,
         * so that the others fail as well, each with its own failure.
         */
        private void attempt(Action action) {
            if (!isOpen) {
                return;
            }
            try {
                action.take(this);
            } catch (WriteRefusedException e) {
                isOpen = false;
                result = new PruneResult(isGone(e) ? 1 : 0, 0); // else it was written anew meanwhile, and stays
            } catch (StateWriteException | InterruptedException e) {
                isOpen = false;
                result = new PruneResult(0, 1);
            }
        }

        /** An earlier deletion, whose outcome nobody knew, has come before this one. */
        private static boolean isGone(WriteRefusedException e) {
            return e.refusal() instanceof Refusal.Mismatch mismatch && mismatch.current() == null;
        }

        @Override
        public void close() {
            write.close();
        }
    }

    private interface Action {
        void take(Step step) throws InterruptedException;
    }

    private PruneResult deleteAll(List<Candidate> candidates) throws InterruptedException {
        StateIndex.Generation generation = writes.begin(Operation.PRUNE);
        List<Step> steps = new ArrayList<>();
        try (Gate.Permit permit =
                writes.admit(writes.subject(Operation.PRUNE, candidates.get(0).key()))) {
            for (Candidate candidate : candidates) {
                StateKey key = candidate.key();
                Terms terms = Terms.onlyIf(candidate.version());
                Step step = new Step(candidate, writes.prepare(writes.subject(Operation.PRUNE, key), key, null, terms));
                steps.add(step);
                step.attempt(sending -> sending.write.send());
            }
            List<PendingWrite> flushed = new ArrayList<>();
            steps.forEach(step -> step.attempt(flushing -> flushing.write.flushOnce(flushed)));
            steps.forEach(step -> step.attempt(waiting -> waiting.acknowledged = waiting.write.awaitAcknowledgement()));
            steps.forEach(step -> step.attempt(acknowledged -> finish(generation, acknowledged)));
        } finally {
            steps.forEach(Step::close);
        }
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new InterruptedException("Interrupted while pruning; what failed is among the failures");
        }
        return steps.stream().map(step -> step.result).reduce(new PruneResult(0, 0), PruneResult::plus);
    }

    private void finish(StateIndex.Generation generation, Step step) throws InterruptedException {
        RecordMetadata metadata = Objects.requireNonNull(step.acknowledged);
        StateKey key = step.candidate.key();
        arbiter.judge(step.write, key, Terms.onlyIf(step.candidate.version()), metadata);
        Deletion deletion = new Deletion(metadata.offset(), metadata.timestamp());
        writes.makeVisible(generation, metadata.partition(), key, deletion, null);
        step.write.succeeded(metadata);
        step.result = new PruneResult(1, 0);
    }
}
