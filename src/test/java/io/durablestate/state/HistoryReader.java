package io.durablestate.state;

import io.durablestate.state.History.Place;
import io.durablestate.state.History.View;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A reader of a history's log: an index that replays and follows. */
final class HistoryReader {

    /** How a reader reads; what is overridden leaves a rule out. */
    interface Reading {

        Reading AS_DESIGNED = new Reading() {};

        default void startReplay(StateIndex index) {
            index.startReplay(1);
        }

        default void endReplay(StateIndex index) {
            index.endReplay();
        }

        /** What is folded instead of a record of a state. */
        default StateRecord take(StateIndex index, StateRecord record) {
            return record;
        }

        /** What is folded instead of a claim; empty when it is skipped. */
        default Optional<ClaimRecord> take(ClaimRecord record) {
            return Optional.of(record);
        }
    }

    private final StateIndex index = new StateIndex();
    private final Reading reading;

    private HistoryReader(Reading reading) {
        this.reading = reading;
    }

    /** A reader that was there before the first record. */
    static HistoryReader live(Reading reading) {
        return replayOf(Map.<Long, LogRecord>of().values(), reading);
    }

    /** A reader that has just replayed a log. */
    static HistoryReader replayOf(Collection<? extends LogRecord> log, Reading reading) {
        HistoryReader reader = new HistoryReader(reading);
        reading.startReplay(reader.index);
        log.forEach(reader::fold);
        reading.endReplay(reader.index);
        return reader;
    }

    /** Folds the next record; says whether it took effect. */
    boolean fold(LogRecord record) {
        if (record instanceof StateRecord state) {
            return index.fold(0, reading.take(index, state)).tookEffect();
        }
        reading.take((ClaimRecord) record).ifPresent(claim -> index.fold(0, claim));
        return true;
    }

    void forgetDeletionsBefore(long offset) {
        index.forgetDeletionsBefore(offset);
    }

    /** What it sees. */
    View view() {
        Map<StateKey, Place> states = new TreeMap<>();
        Map<String, Long> claims = new TreeMap<>();
        index.scan(StateKey.before(""), (key, version) -> {
            states.put(key, new Place(version.writtenAt(), version.offset()));
            return true;
        });
        for (String key : History.KEYS) {
            ClaimRecord claim = index.claim(key);
            if (claim != null) {
                claims.put(key, claim.offset());
            }
        }
        return new View(states, claims);
    }
}
