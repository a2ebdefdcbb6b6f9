package io.durablestate.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.state.History.Appended;
import io.durablestate.state.History.Compacted;
import io.durablestate.state.History.FollowerStarts;
import io.durablestate.state.HistoryReader.Reading;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fold against the model: whoever reads a log, and whenever, judges and sees the same. */
class FoldHistoryTests {

    static List<History> histories() {
        return History.all();
    }

    @ParameterizedTest
    @MethodSource("histories")
    void everyReaderJudgesAndSeesTheSameAsTheModel(History history) {
        assertThat(HistoryRun.firstDifference(history, Reading.AS_DESIGNED)).isEmpty();
    }

    @Test
    void theHistoriesHaveEverythingThatTheRulesSpeakOf() {
        assertThat(histories()).hasSizeGreaterThanOrEqualTo(50);
        assertThat(events().filter(FollowerStarts.class::isInstance)).hasSizeGreaterThan(500);
        assertThat(events().filter(Compacted.class::isInstance)).hasSizeGreaterThan(500);
        assertThat(appended(event -> !event.tookEffect())).hasSizeGreaterThan(5_000);
        assertThat(appended(event -> isRestore(event) && event.tookEffect())).hasSizeGreaterThan(5_000);
        assertThat(appended(event -> isRestore(event) && !event.tookEffect())).hasSizeGreaterThan(500);
        assertThat(appended(FoldHistoryTests::isForgottenClaim)).hasSizeGreaterThan(50);
    }

    private static boolean isRestore(Appended event) {
        return event.record() instanceof StateRecord state && state.asOf() != null;
    }

    private static boolean isForgottenClaim(Appended event) {
        return event.record() instanceof ClaimRecord claim && claim.claim() == null;
    }

    private static Stream<Appended> appended(Predicate<Appended> predicate) {
        return events().filter(Appended.class::isInstance)
                .map(Appended.class::cast)
                .filter(predicate);
    }

    private static Stream<History.Event> events() {
        return histories().stream().flatMap(history -> history.events().stream());
    }
}
