package io.durablestate.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Writes of different states that are made together: all are sent, each lane is flushed once, and each is acknowledged and
 * judged on its own. What fails is the result of that write, and the others go on. An interrupt stays set, so that what was not
 * acknowledged by then fails as well, each with its own failure. Used by one thread.
 */
final class WriteRound implements AutoCloseable {

    private final StateIndex.Generation generation;
    private final FoldedLog foldedLog;
    private final StateWrites writes;
    private final Arbiter arbiter;
    private final List<Item> items = new ArrayList<>();

    /** @param generation the replay that the writes begin under */
    WriteRound(StateIndex.Generation generation, FoldedLog foldedLog, StateWrites writes, Arbiter arbiter) {
        this.generation = generation;
        this.foldedLog = foldedLog;
        this.writes = writes;
        this.arbiter = arbiter;
    }

    /** What has to be before a write is sent. */
    interface Preparation {

        /** Prepares; returns the result when there is nothing to send, else null. */
        @Nullable
        BatchResult prepare() throws InterruptedException;
    }

    private interface Step {
        @Nullable
        BatchResult take(Item item) throws InterruptedException;
    }

    /** One write on its way. */
    private static final class Item {

        private final BatchWrite write;
        private @Nullable PendingWrite pending;
        private @Nullable RecordMetadata acknowledged;
        private @Nullable BatchResult result;
        private boolean isNew;

        private Item(BatchWrite write) {
            this.write = write;
        }

        private PendingWrite pending() {
            return Objects.requireNonNull(pending);
        }

        /** Takes a step, unless there is a result already. */
        private void attempt(Step step) {
            if (result != null) {
                return;
            }
            try {
                result = step.take(this);
            } catch (StateWriteException | WriteRefusedException | NotServingException | InterruptedException e) {
                result = new BatchResult.Failed(e);
            }
        }
    }

    /** Sends a write. Blocks while there is no metadata, or no room in the buffer. */
    void send(StateWrites.Subject subject, BatchWrite write, Preparation preparation) {
        Item item = new Item(write);
        items.add(item);
        item.attempt(preparing -> preparation.prepare());
        item.attempt(sending -> {
            sending.isNew = foldedLog.index().find(write.key()) == null;
            sending.pending = writes.prepare(subject, write.key(), write.document(), write.terms());
            sending.pending.send();
            return null;
        });
    }

    /**
     * Waits for the acknowledgement, and the verdict, of everything that was sent.
     *
     * @return what became of each write, in the order in which they were sent
     */
    List<BatchResult> finish() {
        List<PendingWrite> flushed = new ArrayList<>();
        attemptAll(item -> {
            item.pending().flushOnce(flushed);
            return null;
        });
        attemptAll(item -> {
            item.acknowledged = item.pending().awaitAcknowledgement();
            return null;
        });
        attemptAll(this::show);
        return items.stream().map(item -> Objects.requireNonNull(item.result)).toList();
    }

    private void attemptAll(Step step) {
        items.forEach(item -> item.attempt(step));
    }

    private BatchResult show(Item item) throws InterruptedException {
        RecordMetadata metadata = Objects.requireNonNull(item.acknowledged);
        StateKey key = item.write.key();
        StateDocument document = item.write.document();
        StateVersion applied = arbiter.judge(item.pending(), key, item.write.conditions(), metadata);
        if (applied != null) {
            return new BatchResult.Stored(PutResult.alreadyApplied(applied.receipt(key)));
        }
        BatchResult result;
        if (document == null) {
            Deletion deletion = new Deletion(metadata.offset(), metadata.timestamp());
            writes.makeVisible(generation, metadata.partition(), key, deletion, null);
            result = new BatchResult.Deleted();
        } else {
            StateVersion version = item.pending().versionAt(metadata, document);
            boolean replaced = writes.makeVisible(generation, metadata.partition(), key, version, document.body());
            result = new BatchResult.Stored(new PutResult(version.receipt(key), item.isNew && !replaced, false));
        }
        item.pending().succeeded(metadata);
        return result;
    }

    @Override
    public void close() {
        items.stream().map(item -> item.pending).filter(Objects::nonNull).forEach(PendingWrite::close);
    }
}
