package io.durablestate.state;

import io.durablestate.state.History.Appended;
import io.durablestate.state.History.Checkpoint;
import io.durablestate.state.History.Compacted;
import io.durablestate.state.History.Event;
import io.durablestate.state.History.FollowerStarts;
import io.durablestate.state.HistoryReader.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One history told again: a reader that is there from the start, the followers that start later, and at every checkpoint a
 * replay of what compaction has left.
 */
final class HistoryRun {

    private static final int MOST_FOLLOWERS = 6;

    private final History history;
    private final Reading reading;
    private final NavigableMap<Long, LogRecord> log = new TreeMap<>();
    private final HistoryReader first;
    private final List<HistoryReader> followers = new ArrayList<>();

    private HistoryRun(History history, Reading reading) {
        this.history = history;
        this.reading = reading;
        this.first = HistoryReader.live(reading);
    }

    /** The first thing that a reader judges or sees differently from the model; empty when all agree with it. */
    static Optional<String> firstDifference(History history, Reading reading) {
        HistoryRun run = new HistoryRun(history, reading);
        return history.events().stream()
                .flatMap(event -> run.tell(event).stream())
                .findFirst();
    }

    private Optional<String> tell(Event event) {
        if (event instanceof Appended appended) {
            return append(appended);
        } else if (event instanceof Compacted compacted) {
            log.keySet().removeAll(compacted.gone());
        } else if (event instanceof FollowerStarts) {
            followers.add(replay());
            if (followers.size() > MOST_FOLLOWERS) {
                followers.remove(0);
            }
        } else if (event instanceof Checkpoint checkpoint) {
            return compare(checkpoint);
        }
        return Optional.empty();
    }

    private Optional<String> append(Appended appended) {
        LogRecord record = appended.record();
        log.put(record.offset(), record);
        boolean allAgree = first.fold(record) == appended.tookEffect();
        for (HistoryReader follower : followers) {
            allAgree &= follower.fold(record) == appended.tookEffect();
        }
        return allAgree ? Optional.empty() : Optional.of("%s: the judgement of %s".formatted(history, appended));
    }

    private Optional<String> compare(Checkpoint checkpoint) {
        followers.forEach(follower -> follower.forgetDeletionsBefore(checkpoint.end() - history.lag()));
        List<HistoryReader> readers = new ArrayList<>(followers);
        readers.add(first);
        readers.add(replay());
        return readers.stream()
                .map(HistoryReader::view)
                .filter(view -> !view.equals(checkpoint.view()))
                .map(view -> "%s: at %d a reader sees %s instead of %s"
                        .formatted(history, checkpoint.end(), view, checkpoint.view()))
                .findFirst();
    }

    private HistoryReader replay() {
        return HistoryReader.replayOf(log.values(), reading);
    }
}
