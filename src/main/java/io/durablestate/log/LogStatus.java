package io.durablestate.log;

import io.durablestate.state.NotServingException;
import io.durablestate.state.NotServingException.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** How far this instance is: what it is doing, what keeps it from being ready, and what it could not understand. */
@Component
public final class LogStatus {

    private static final int SKIPPED_KEPT = 20;

    /** What the instance is doing. */
    public enum Phase {
        /** It has not reached the state log yet. */
        STARTING,
        /** It replays the state log. */
        RECOVERING,
        /** It serves. */
        READY,
        /** It finishes what is under way. */
        STOPPING;

        /** The word in answers: lower case. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How far a replay is.
     *
     * @param records records read so far
     * @param offsetsDone offsets passed so far
     * @param offsetsTotal offsets between the beginning and the captured end
     * @param elapsed time since its start
     */
    public record Progress(long records, long offsetsDone, long offsetsTotal, Duration elapsed) {

        /** 0 to 100. */
        public int percent() {
            return offsetsTotal == 0 ? 100 : (int) (100 * offsetsDone / offsetsTotal);
        }

        /** Estimate of what is left, null while nothing is known. */
        public @Nullable Duration left() {
            if (offsetsDone == 0 || offsetsTotal == 0) {
                return null;
            }
            return elapsed.multipliedBy(offsetsTotal - offsetsDone).dividedBy(offsetsDone);
        }
    }

    /**
     * A record that was passed over.
     *
     * @param reason why, as the rest of a sentence
     */
    public record Skipped(int partition, long offset, Instant time, String reason) {}

    private record Serving(
            Phase phase,
            @Nullable Reason obstacle,
            @Nullable String why) {}

    private final ApplicationEventPublisher events;
    private volatile Serving serving =
            new Serving(Phase.STARTING, Reason.RECOVERING, "the state log has not been reached yet");
    private volatile boolean stopping;
    private volatile @Nullable Uuid topicId;
    private volatile @Nullable Progress progress;
    private final Deque<Skipped> lastSkipped = new ArrayDeque<>();
    private long skipped;
    private long skippedSinceStart;

    LogStatus(ApplicationEventPublisher events) {
        this.events = events;
    }

    public Phase phase() {
        return stopping ? Phase.STOPPING : serving.phase();
    }

    /** What keeps it from being ready, as a sentence; null when nothing does. */
    public @Nullable String obstacle() {
        return serving.why();
    }

    /** The kind of obstacle, null when there is none. */
    public @Nullable Reason obstacleKind() {
        return serving.obstacle();
    }

    /** Identity of the topic that was opened last, null before the first. */
    public @Nullable Uuid topicId() {
        return topicId;
    }

    /** The replay under way, or the last one; null before the first. */
    public @Nullable Progress progress() {
        return progress;
    }

    /** Records passed over since the last replay began. */
    public synchronized long skipped() {
        return skipped;
    }

    /** Records passed over since the instance started, those of earlier replays included. */
    synchronized long skippedSinceStart() {
        return skippedSinceStart;
    }

    /** The newest of them, newest first. */
    public synchronized List<Skipped> lastSkipped() {
        return List.copyOf(lastSkipped);
    }

    synchronized void skip(int partition, long offset, Instant time, String reason) {
        skipped++;
        skippedSinceStart++;
        lastSkipped.addFirst(new Skipped(partition, offset, time, reason));
        if (lastSkipped.size() > SKIPPED_KEPT) {
            lastSkipped.removeLast();
        }
    }

    synchronized void recovering(Uuid topic) {
        topicId = topic;
        skipped = 0;
        lastSkipped.clear();
        serving = new Serving(Phase.RECOVERING, Reason.RECOVERING, "the state log is being replayed");
    }

    void progressed(Progress now) {
        progress = now;
    }

    void ready() {
        serving = new Serving(Phase.READY, null, null);
        events.publishEvent(new LogReplayed());
    }

    /** The instance cannot go on, and tries again. */
    void hindered(Reason reason, String why) {
        Phase phase = serving.phase() == Phase.STARTING ? Phase.STARTING : Phase.RECOVERING;
        serving = new Serving(phase, reason, why);
    }

    /**
     * Refuses to go on while the instance is not ready.
     *
     * @throws NotServingException saying why
     */
    void requireReplayed() {
        Serving now = serving;
        if (now.obstacle() != null) {
            throw new NotServingException(now.obstacle(), "The service is not ready: " + now.why());
        }
    }

    @EventListener(ContextClosedEvent.class)
    void stopping() {
        stopping = true;
    }
}
