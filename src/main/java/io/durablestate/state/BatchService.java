package io.durablestate.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.producer.RecordMetadata;
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
        StateIndex.Generation generation = writes.begin(Operation.BATCH);
        List<Item> items = batch.stream().map(Item::new).toList();
        List<Item> round = new ArrayList<>();
        Set<StateKey> states = new HashSet<>();
        for (Item item : items) {
            if (!states.add(item.write.key())) {
                run(generation, round);
                round.clear();
                states.clear();
                states.add(item.write.key());
            }
            round.add(item);
        }
        run(generation, round);
        return items.stream().map(Item::result).toList();
    }

    /** One write on its way. */
    private static final class Item {

        private final BatchWrite write;
        private @Nullable PendingWrite pending;
        private @Nullable BatchResult result;
        private @Nullable RecordMetadata acknowledged;
        private boolean isNew;

        private Item(BatchWrite write) {
            this.write = write;
        }

        private boolean isOpen() {
            return result == null;
        }

        private BatchResult result() {
            if (result == null) {
                throw new IllegalStateException("A write of a batch was left out");
            }
            return result;
        }

        /** Takes a step; when it fails, this write has failed and the others go on. */
        private void attempt(Step step) {
            try {
                step.take();
            } catch (StateWriteException | WriteRefusedException | NotServingException | InterruptedException e) {
                result = new BatchResult.Failed(e);
            }
        }
    }

    private interface Step {
        void take() throws InterruptedException;
    }

    /** Makes writes of different states. */
    private void run(StateIndex.Generation generation, List<Item> round) {
        Map<Integer, Gate.Permit> permits = new HashMap<>();
        try {
            for (Item item : round) {
                item.attempt(() -> send(item, permits));
            }
            List<PendingWrite> flushed = new ArrayList<>();
            for (Item item : round) {
                if (item.isOpen()) {
                    item.attempt(() -> pendingOf(item).flushOnce(flushed));
                }
            }
            for (Item item : round) {
                if (item.isOpen()) {
                    item.attempt(() -> item.acknowledged = pendingOf(item).awaitAcknowledgement());
                }
            }
            for (Item item : round) {
                if (item.isOpen()) {
                    item.attempt(() -> finish(generation, item));
                }
            }
        } finally {
            permits.values().forEach(Gate.Permit::close);
            for (Item item : round) {
                if (item.pending != null) {
                    item.pending.close();
                }
            }
        }
    }

    private void send(Item item, Map<Integer, Gate.Permit> permits) throws InterruptedException {
        StateKey key = item.write.key();
        StateWrites.Subject subject = writes.subject(Operation.BATCH, key);
        if (item.write.document() == null && writes.isMissing(subject, key)) {
            item.result = new BatchResult.Missing();
            return;
        }
        StateVersion applied = arbiter.look(subject, key, conditions(item.write));
        if (applied != null) {
            item.result = new BatchResult.Stored(PutResult.alreadyApplied(applied.receipt(key)));
            return;
        }
        if (!permits.containsKey(subject.partition())) {
            permits.put(subject.partition(), writes.admit(subject));
        }
        item.isNew = foldedLog.index().find(key) == null;
        PendingWrite pending = writes.prepare(subject, key, item.write.document(), item.write.terms());
        item.pending = pending;
        pending.send();
    }

    /** A deletion stores nothing that could bear its name. */
    private static Terms conditions(BatchWrite write) {
        return write.document() == null ? write.terms().withoutName() : write.terms();
    }

    private static PendingWrite pendingOf(Item item) {
        if (item.pending == null) {
            throw new IllegalStateException("Nothing was sent");
        }
        return item.pending;
    }

    private void finish(StateIndex.Generation generation, Item item) throws InterruptedException {
        PendingWrite pending = pendingOf(item);
        StateKey key = item.write.key();
        StateDocument document = item.write.document();
        RecordMetadata metadata = Objects.requireNonNull(item.acknowledged);
        StateVersion applied = arbiter.judge(pending, key, conditions(item.write), metadata);
        if (applied != null) {
            item.result = new BatchResult.Stored(PutResult.alreadyApplied(applied.receipt(key)));
            return;
        }
        if (document == null) {
            Deletion deletion = new Deletion(metadata.offset(), metadata.timestamp());
            writes.makeVisible(generation, metadata.partition(), key, deletion, null);
            item.result = new BatchResult.Deleted();
        } else {
            StateVersion version = pending.versionAt(metadata, document);
            boolean replaced = writes.makeVisible(generation, metadata.partition(), key, version, document.body());
            item.result = new BatchResult.Stored(new PutResult(version.receipt(key), item.isNew && !replaced, false));
        }
        pending.succeeded(metadata);
    }
}
