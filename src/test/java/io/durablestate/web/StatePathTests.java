package io.durablestate.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.durablestate.state.InvalidStateKeyException;
import io.durablestate.state.Seeded;
import io.durablestate.state.StateKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatePathTests {

    private static StateKey parse(String segments) {
        return StatePath.parse("/api/v1/states/" + segments);
    }

    private static void assertRefused(String segments, String segment, String why) {
        assertThatExceptionOfType(InvalidStateKeyException.class)
                .isThrownBy(() -> parse(segments))
                .withMessageContaining(why)
                .satisfies(e -> assertThat(e.segment()).isEqualTo(segment))
                .satisfies(e -> assertThat(e.allowed()).isNotBlank());
    }

    @Test
    void namesAStateWithOrWithoutEvent() {
        assertThat(parse("order-42/7/charge-card")).isEqualTo(StateKey.of("order-42", 7, "charge-card"));
        assertThat(parse("order-42/7/charge-card/evt-1")).isEqualTo(StateKey.of("order-42", 7, "charge-card", "evt-1"));
    }

    @Test
    void mayStandBelowAContextPath() {
        assertThat(StatePath.parse("/durable/api/v1/states/order-42/7/charge-card"))
                .isEqualTo(StateKey.of("order-42", 7, "charge-card"));
    }

    @ParameterizedTest
    @CsvSource({
        "a%2Fb, a/b",
        "a%25b, a%b",
        "a%3Bb, a;b",
        "a%5Cb, a\\b",
        "a%20b, a b",
        "a+b, a+b",
        "%D0%BA%D0%BB%D1%8E%D1%87, ключ",
        "%D1%91, \u0451",
        "%D0%B5%CC%88, \u0435\u0308",
        "%252F, %2F",
        "..., ...",
        "%3Cimg%20src=x%20onerror=alert(1)%3E, <img src=x onerror=alert(1)>"
    })
    void takesEveryCharacterInEveryPart(String encoded, String text) {
        assertThat(parse("%1$s/7/%1$s/%1$s".formatted(encoded))).isEqualTo(StateKey.of(text, 7, text, text));
    }

    @Test
    void takesPartsOf255BytesAndNoMore() {
        String longest = "%D1%8F".repeat(127) + "a";
        assertThat(parse(longest + "/7/x").key()).hasSize(128);
        assertRefused(longest + "a/7/x", "key", "has 256 bytes");
        assertRefused("k/7/" + longest + "a", "action", "has 256 bytes");
        assertRefused("k/7/x/" + longest + "a", "event", "has 256 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "%FF/7/x, key, percent-encoded UTF-8",
        "k/7/%FF, action, percent-encoded UTF-8",
        "k/7/x/%FF, event, percent-encoded UTF-8",
        "k/%FF/x, sequence, percent-encoded UTF-8",
        "%C0%AF/7/x, key, percent-encoded UTF-8",
        "%ED%A0%80/7/x, key, percent-encoded UTF-8",
        "%/7/x, key, percent-encoded UTF-8",
        "a%2/7/x, key, percent-encoded UTF-8",
        "a;b/7/x, key, bare ;",
        "k;v=1/7/x, key, bare ;",
        "k/7;v=1/x, sequence, bare ;",
        "k/7/x;jsessionid=1, action, bare ;",
        "k/7/x/e;, event, bare ;",
        "k/7/[a], action, bare [",
        "a|b/7/x, key, bare |",
        "k/7/x/{e}, event, bare {",
        "a\\b/7/x, key, bare \\",
        "/7/x, key, is empty",
        "k/7/, action, is empty",
        "k/7/x/, event, is empty",
        "k/7//e, action, is empty",
        "./7/x, key, is .",
        "../7/x, key, is ..",
        "%2E/7/x, key, is .",
        "%2E%2e/7/x, key, is ..",
        "k/7/.., action, is ..",
        "k/7/x/., event, is .",
        "%00/7/x, key, control character",
        "a%0Ab/7/x, key, control character",
        "%7F/7/x, key, control character",
        "%C2%85/7/x, key, control character"
    })
    void saysWhichPartIsNotAllowedAndWhy(String segments, String segment, String why) {
        assertRefused(segments, segment, why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "k/7", "k/7/x/e/more", "k/7/x/e/", "//////"})
    void hasThreeOrFourParts(String segments) {
        assertRefused(segments, "path", "segments after /api/v1/states");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "7, 7", "9223372036854775807, 9223372036854775807", "%37, 7"})
    void takesEverySequence(String text, long sequence) {
        assertThat(parse("k/" + text + "/x").sequence()).isEqualTo(sequence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775808",
                "99999999999999999999",
                "-1",
                "+1",
                "%2B1",
                "1.0",
                "1e3",
                "0x7",
                "7L",
                "%207",
                "7%20",
                "seven",
                "007",
                "00",
                "",
                "%D9%A7",
                "%EF%BC%97"
            })
    void refusesWhatIsNoSequence(String text) {
        assertRefused("k/" + text + "/x", "sequence", "is not a number in range");
        assertThatExceptionOfType(InvalidStateKeyException.class)
                .isThrownBy(() -> parse("k/" + text + "/x"))
                .withMessageContaining("0 to 9223372036854775807");
    }

    @Test
    void isReadAsItIsWritten() {
        Seeded.run(random -> {
            for (int i = 0; i < 1_000; i++) {
                StateKey key = Seeded.stateKey(random);
                if (!StatePath.parse(StatePath.of(key)).equals(key)) {
                    throw new AssertionError("%s as %s".formatted(key, StatePath.of(key)));
                }
            }
        });
    }
}
