package io.durablestate.event;

import io.durablestate.DurableStateProperties;
import io.durablestate.failure.FailureJournal;
import io.durablestate.log.LogStatus;
import io.durablestate.state.Attempt;
import io.durablestate.state.ClaimRecord;
import io.durablestate.state.FoldListener;
import io.durablestate.state.Judgement;
import io.durablestate.state.Revision;
import io.durablestate.state.StateRecord;
import io.durablestate.state.StateVersion;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Tells what happens, in the order of the log, to any number of listeners. None of them can slow the log reader down. */
@Component
public final class EventLog implements FoldListener {

    /**
     * Records older than this, met by a replay, are not told: what stood between them may have been compacted away, and what
     * they were judged by. Three quarters of the compaction lag. A hole in the offsets is a record that is gone for certain.
     */
    private static final Duration OLDEST = Duration.ofMinutes(45);

    private final RecentEvents recent;
    private final LogStatus status;
    private final Clock clock;
    private final Semaphore places;
    private final int limit;

    EventLog(DurableStateProperties properties, LogStatus status, FailureJournal failures, Clock clock) {
        this.recent = new RecentEvents(properties.events().buffer());
        this.status = status;
        this.clock = clock;
        this.limit = properties.events().subscribers();
        this.places = new Semaphore(limit);
        failures.onChange(failure -> tellAside(new StateEvent.Failed(failure)));
    }

    @Override
    public void replayStarts(int partitions) {
        Uuid topic = status.topicId();
        long log = topic == null ? 0 : topic.getMostSignificantBits() ^ topic.getLeastSignificantBits();
        recent.startOver(log, partitions);
    }

    @Override
    public void folded(int partition, StateRecord record, Judgement judgement) {
        if (isTold(partition, record.offset(), record.timestamp(), judgement.tookEffect() && record.asOf() == null)) {
            recent.tell(new RecentEvents.Told(eventOf(partition, record), partition, record.offset()));
        }
    }

    private static StateEvent eventOf(int partition, StateRecord record) {
        return record.content() instanceof StateVersion version
                ? new StateEvent.Stored(version.receipt(record.key()))
                : new StateEvent.Deleted(
                        record.key(),
                        new Revision(partition, record.offset()),
                        Instant.ofEpochMilli(record.timestamp()));
    }

    @Override
    public void claimed(int partition, ClaimRecord record) {
        Attempt attempt = record.attempt();
        if (isTold(partition, record.offset(), record.timestamp(), attempt != null) && attempt != null) {
            StateEvent event = new StateEvent.AttemptChanged(record.key(), attempt);
            recent.tell(new RecentEvents.Told(event, partition, record.offset()));
        }
    }

    /** Whether a record is told; takes note of it when it is not. */
    private boolean isTold(int partition, long offset, long timestamp, boolean isEvent) {
        recent.reached(partition, offset, isReplaying());
        boolean isTooOld = isTooOld(timestamp);
        if (isTooOld || !isEvent) {
            recent.passed(partition, offset, isTooOld);
        }
        return isEvent && !isTooOld;
    }

    @Override
    public void passed(int partition, long position) {
        recent.reached(partition, position, isReplaying());
    }

    private boolean isReplaying() {
        return status.phase() == LogStatus.Phase.RECOVERING;
    }

    private boolean isTooOld(long timestamp) {
        return isReplaying() && timestamp < clock.millis() - OLDEST.toMillis();
    }

    /** Tells what is not in the log: it is heard by those who listen now, and never again. */
    void tellAside(StateEvent event) {
        recent.tell(new RecentEvents.Told(event, RecentEvents.NOT_IN_LOG, -1));
    }

    /**
     * Begins to listen.
     *
     * @param lastEventId the position of the last event that was heard, or null to begin with what happens now
     * @param keys which business keys to hear of
     * @return empty when as many listen as {@code durable-state.events.subscribers} allows
     * @throws PositionGoneException when nobody can go on from there without a gap
     * @throws IllegalArgumentException when the text is not a position
     */
    public @Nullable Subscription subscribe(@Nullable String lastEventId, Predicate<String> keys) {
        EventPosition after = lastEventId == null ? null : parse(lastEventId);
        if (!places.tryAcquire()) {
            return null;
        }
        boolean begun = false;
        try {
            Subscription subscription = new Subscription(recent, recent.placeAfter(after), keys, places::release);
            begun = true;
            return subscription;
        } finally {
            if (!begun) {
                places.release();
            }
        }
    }

    /**
     * Whether a position, perhaps from another instance, is further on in this log than this instance has read.
     *
     * @throws IllegalArgumentException when the text is not a position
     */
    public boolean isAhead(String lastEventId) {
        return recent.isAhead(parse(lastEventId));
    }

    private static EventPosition parse(String lastEventId) {
        return EventPosition.parse(lastEventId)
                .orElseThrow(() -> new IllegalArgumentException("It is not a position of this service"));
    }

    /** How many listen now. */
    public int subscribers() {
        return limit - places.availablePermits();
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        recent.close();
    }
}
