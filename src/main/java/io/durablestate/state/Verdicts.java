package io.durablestate.state;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** What the fold says of the conditional writes and claims of this instance that are under way. */
final class Verdicts {

    /**
     * The fold's word on one record.
     *
     * @param tookEffect false for a void record
     * @param inEffect what is in effect after it
     * @param claim the newest claim on the key before it, or null
     */
    record Verdict(
            boolean tookEffect,
            @Nullable FoldedState inEffect,
            @Nullable ClaimRecord claim) {}

    private final ConcurrentMap<WriteIdentity, Watch> watches = new ConcurrentHashMap<>();

    /** The verdicts on the records of one write; more than one when its caller repeats it meanwhile. */
    final class Watch implements AutoCloseable {

        private final WriteIdentity write;
        private final ConcurrentMap<Long, Verdict> byOffset = new ConcurrentHashMap<>();
        private int users;

        private Watch(WriteIdentity write) {
            this.write = write;
        }

        private Watch shared() {
            users++;
            return this;
        }

        /** The verdict on the record at an offset, null while it has not been folded. */
        @Nullable
        Verdict at(long offset) {
            return byOffset.get(offset);
        }

        @Override
        public void close() {
            watches.computeIfPresent(write, (identity, watch) -> --watch.users == 0 ? null : watch);
        }
    }

    /** Keeps the verdicts on a write from here on, until the watch is closed. */
    Watch watch(WriteIdentity write) {
        return watches.compute(write, (identity, watch) -> (watch == null ? new Watch(identity) : watch).shared());
    }

    /** A claim was folded. */
    void claimed(ClaimRecord record, @Nullable ClaimRecord before) {
        Watch watch = watches.get(new WriteIdentity(record.key(), null, record.writeId()));
        if (watch != null) {
            watch.byOffset.put(record.offset(), new Verdict(true, null, before));
        }
    }

    /** A record of a state was folded into the index. */
    void judged(StateRecord record, Judgement judgement, StateIndex index) {
        if (watches.isEmpty()) {
            return;
        }
        Watch watch = watches.get(record.identity());
        if (watch != null) {
            ClaimRecord claim = index.claim(record.key().key());
            watch.byOffset.put(record.offset(), new Verdict(judgement.tookEffect(), judgement.state(), claim));
        }
    }
}
