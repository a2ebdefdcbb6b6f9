package io.durablestate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.durablestate.state.History.Appended;
import io.durablestate.state.HistoryReader.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A log that Kafka has compacted gives the same states as the whole log, and goes on to be judged in the same way. */
class CompactionTests {

    private static final int MOST_READERS = 5;

    static Stream<Arguments> histories() {
        return History.all().stream().flatMap(history -> FoldSeeds.first(2).mapToObj(seed -> arguments(history, seed)));
    }

    @ParameterizedTest(name = "{0}, compaction of seed {1}")
    @MethodSource("histories")
    void aCompactedLogGivesTheSameStates(History history, long seed) {
        assertThat(firstDifference(history, history.lag(), seed)).isEmpty();
    }

    /** Shows that the test above can fail: void records need time to be repaired. */
    @Test
    void aLogThatIsCompactedUpToItsEndDoesNot() {
        assertThat(History.all())
                .anySatisfy(
                        history -> assertThat(firstDifference(history, 0, 1)).isPresent());
    }

    /** Readers start now and then while the log grows and is compacted; all are compared with one that saw everything. */
    private static Optional<String> firstDifference(History history, long lag, long seed) {
        Random random = new Random(seed);
        CompactionLog log = new CompactionLog(lag, random);
        HistoryReader whole = HistoryReader.live(Reading.AS_DESIGNED);
        List<HistoryReader> readers = new ArrayList<>();
        for (Appended appended : history.log()) {
            log.append(appended.record());
            whole.fold(appended.record());
            for (HistoryReader reader : readers) {
                if (reader.fold(appended.record()) != appended.tookEffect()) {
                    return Optional.of("the judgement of " + appended);
                }
            }
            if (random.nextInt(15) == 0) {
                log.compact();
            }
            if (random.nextInt(30) == 0) {
                readers.add(HistoryReader.replayOf(log.records(), Reading.AS_DESIGNED));
                if (readers.size() > MOST_READERS) {
                    readers.remove(0);
                }
                if (readers.stream().anyMatch(reader -> !reader.view().equals(whole.view()))) {
                    return Optional.of("what a reader sees after " + appended);
                }
            }
        }
        return Optional.empty();
    }
}
