package io.durablestate.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.durablestate.failure.Outcome;
import io.durablestate.failure.Problem;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class QueryTests {

    private static final String[] ALLOWED = {"key", "prefix", "completed", "limit", "outcome", "n"};

    private static Query query(String raw) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/v1/states");
        request.setQueryString(raw);
        return Query.of(request, ALLOWED);
    }

    private static void assertRefused(String parameter, ThrowingCallable reading) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(reading)
                .withMessageStartingWith(parameter + " ")
                .satisfies(e -> assertThat(e.problem()).isEqualTo(Problem.INVALID_PARAMETER))
                .satisfies(e -> assertThat(e.extras())
                        .containsEntry("parameter", parameter)
                        .containsKey("allowed"));
    }

    @Test
    void mayBeAbsentOrEmpty() {
        assertThat(query(null).text("key")).isNull();
        assertThat(query("").text("key")).isNull();
        assertThat(query("&&").text("key")).isNull();
    }

    @Test
    void isPercentEncodedUtf8WithSpacesAsPlus() {
        assertThat(query("key=a%2Fb&prefix=%D1%8F+b%2B").text("key")).isEqualTo("a/b");
        assertThat(query("key=a%2Fb&prefix=%D1%8F+b%2B").text("prefix")).isEqualTo("я b+");
        assertThat(query("k%65y=a=b").text("key")).isEqualTo("a=b");
        assertThat(query("prefix=").text("prefix")).isEmpty();
    }

    @Test
    void refusesWhatIsNotKnownHere() {
        assertRefused("kay", () -> query("kay=order-42"));
        assertRefused("KEY", () -> query("KEY=order-42"));
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> query("kay=order-42"))
                .withMessageContaining("key, prefix, completed");
    }

    @Test
    void refusesWhatIsNotServedYetInsteadOfIgnoringIt() {}

    @Test
    void refusesWhatIsGivenTwice() {
        assertRefused("key", () -> query("key=a&key=a"));
        assertRefused("key", () -> query("key&key=a"));
        assertRefused("key", () -> query("key=a&k%65y=b"));
    }

    @Test
    void refusesWhatIsNotUtf8() {
        assertRefused("key", () -> query("key=%FF"));
        assertRefused("key", () -> query("key=%2"));
        assertRefused("the query", () -> query("%FF=a"));
    }

    @Test
    void takesOnlyLegalKeys() {
        assertThat(query("key=a/b").segment("key")).isEqualTo("a/b");
        assertThat(query(null).segment("key")).isNull();
        for (String illegal : new String[] {"", ".", "..", "%00", "a".repeat(256)}) {
            assertRefused("key", () -> query("key=" + illegal).segment("key"));
            assertThatThrownBy(() -> query("key=" + illegal).segment("key"))
                    .message()
                    .containsOnlyOnce("allowed");
            assertRefused("key", () -> query("key=" + illegal).requiredSegment("key"));
        }
        assertRefused("key", () -> query(null).requiredSegment("key"));
    }

    @Test
    void isTrueFalseOrAbsent() {
        assertThat(query("completed=true").flag("completed")).isTrue();
        assertThat(query("completed=false").flag("completed")).isFalse();
        assertThat(query(null).flag("completed")).isNull();
        assertThat(query("completed=true").isSet("completed")).isTrue();
        assertRefused("completed", () -> query("completed").flag("completed"));
        assertThat(query("completed=false").isSet("completed")).isFalse();
        assertThat(query(null).isSet("completed")).isFalse();
        for (String word : new String[] {"", "TRUE", "1", "yes", "+true"}) {
            assertRefused("completed", () -> query("completed=" + word).flag("completed"));
        }
    }

    @Test
    void takesNumbersFromZeroOn() {
        assertThat(query("n=0").number("n")).isZero();
        assertThat(query("n=9223372036854775807").requiredNumber("n")).isEqualTo(Long.MAX_VALUE);
        assertThat(query(null).number("n")).isNull();
        assertRefused("n", () -> query(null).requiredNumber("n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-1", "-0", "01", "%2B1", "+1", "1.0", "1e3", "0x1", "9223372036854775808", "one", "1%00"})
    void refusesWhatIsNoNumber(String text) {
        assertRefused("n", () -> query("n=" + text).number("n"));
    }

    @Test
    void hasALimitOf1To1000() {
        assertThat(query(null).limit()).isEqualTo(50);
        assertThat(query("limit=1").limit()).isEqualTo(1);
        assertThat(query("limit=1000").limit()).isEqualTo(1000);
        for (String limit : new String[] {"0", "1001", "-1", "4294967297", "ten"}) {
            assertRefused("limit", () -> query("limit=" + limit).limit());
            assertThatThrownBy(() -> query("limit=" + limit).limit()).hasMessageContaining("from 1 to 1000");
        }
    }

    @Test
    void takesTheWordsOfAnEnum() {
        assertThat(query("outcome=not-persisted").word("outcome", Outcome.class, Outcome::word))
                .isEqualTo(Outcome.NOT_PERSISTED);
        assertThat(query(null).word("outcome", Outcome.class, Outcome::word)).isNull();
        assertRefused("outcome", () -> query("outcome=NOT_PERSISTED").word("outcome", Outcome.class, Outcome::word));
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> query("outcome=lost").word("outcome", Outcome.class, Outcome::word))
                .withMessageContaining("not-persisted, unknown, persisted");
    }

    @Test
    void aNumberIsMadeOfAsciiDigits() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
        request.setQueryString("limit=%D9%A3");
        assertThatThrownBy(() -> Query.of(request, "limit").limit()).isInstanceOf(ProblemException.class);
    }
}
