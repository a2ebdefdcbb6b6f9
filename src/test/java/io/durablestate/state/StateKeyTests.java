package io.durablestate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StateKeyTests {

    private static final String NFC = "\u0451";
    private static final String NFD = "\u0435\u0308";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order-42",
                "a/b",
                "a%b",
                "a;b",
                "a\\b",
                "a b",
                " ",
                "ключ",
                NFC,
                NFD,
                "...",
                ".a",
                "a.",
                "%2F",
                "\"",
                "null",
                "<img src=x onerror=alert(1)>",
                "\u00a0",
                "\u2028",
                "\ufeff",
                "\uffff",
                "\ud83d\ude00"
            })
    void keepsEveryPartAsItIs(String text) {
        StateKey key = StateKey.of(text, 7, text, text);
        assertThat(key.key()).isEqualTo(text);
        assertThat(key.sequence()).isEqualTo(7);
        assertThat(key.action()).isEqualTo(text);
        assertThat(key.event()).isEqualTo(text);
    }

    @Test
    void doesNotNormalise() {
        assertThat(StateKey.of(NFC, 0, "a"))
                .isNotEqualTo(StateKey.of(NFD, 0, "a"))
                .isNotEqualByComparingTo(StateKey.of(NFD, 0, "a"));
    }

    static Stream<Arguments> illegalParts() {
        return Stream.of(
                Arguments.of("", "is empty"),
                Arguments.of(".", "is ."),
                Arguments.of("..", "is .."),
                Arguments.of("a\u0000", "control character"),
                Arguments.of("a\nb", "control character"),
                Arguments.of("\t", "control character"),
                Arguments.of("\u001f", "control character"),
                Arguments.of("\u007f", "control character"),
                Arguments.of("\u0080", "control character"),
                Arguments.of("a\u0085b", "control character"),
                Arguments.of("\u009f", "control character"),
                Arguments.of("a\ud800", "surrogate"),
                Arguments.of("\udc00b", "surrogate"),
                Arguments.of("\ude00\ud83d", "surrogate"),
                Arguments.of("a".repeat(256), "has 256 bytes"),
                Arguments.of("é".repeat(128), "has 256 bytes"),
                Arguments.of("ключ".repeat(32), "has 256 bytes"),
                Arguments.of("\ud83d\ude00".repeat(64), "has 256 bytes"));
    }

    @ParameterizedTest
    @MethodSource("illegalParts")
    void saysWhichPartIsNotAllowedAndWhy(String text, String why) {
        assertRefused("key", why, () -> StateKey.of(text, 0, "a", "e"));
        assertRefused("action", why, () -> StateKey.of("k", 0, text, "e"));
        assertRefused("event", why, () -> StateKey.of("k", 0, "a", text));
    }

    private static void assertRefused(
            String segment, String why, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(InvalidStateKeyException.class)
                .isThrownBy(call)
                .withMessageStartingWith(segment + " ")
                .withMessageContaining(why)
                .satisfies(e -> assertThat(e.segment()).isEqualTo(segment))
                .satisfies(e -> assertThat(e.allowed()).contains("255"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "é", "ключ", "\ud83d\ude00"})
    void takesUpTo255BytesOfUtf8(String unit) {
        int size = unit.getBytes(StandardCharsets.UTF_8).length;
        String longest = unit.repeat(255 / size) + "b".repeat(255 % size);
        assertThat(longest.getBytes(StandardCharsets.UTF_8)).hasSize(255);
        assertThat(StateKey.of(longest, 0, longest, longest).key()).isEqualTo(longest);
        assertRefused("key", "has 256 bytes", () -> StateKey.of(longest + "b", 0, "a"));
    }

    @Test
    void takesSequencesFromZeroOn() {
        assertThat(StateKey.of("k", 0, "a").sequence()).isZero();
        assertThat(StateKey.of("k", Long.MAX_VALUE, "a").sequence()).isEqualTo(Long.MAX_VALUE);
        assertThatExceptionOfType(InvalidStateKeyException.class)
                .isThrownBy(() -> StateKey.of("k", -1, "a"))
                .withMessageContaining("9223372036854775807")
                .satisfies(e -> assertThat(e.segment()).isEqualTo("sequence"));
    }

    @Test
    void isOrderedByKeySequenceActionAndEvent() {
        List<StateKey> ordered = List.of(
                StateKey.of("a", 0, "z", "z"),
                StateKey.of("a/b", 0, "a"),
                StateKey.of("b", 2, "a"),
                StateKey.of("b", 2, "a", "e"),
                StateKey.of("b", 2, "a", "f"),
                StateKey.of("b", 2, "b"),
                StateKey.of("b", 10, "a"),
                StateKey.of("b", Long.MAX_VALUE, "a"),
                StateKey.of("ba", 0, "a"));
        List<StateKey> shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(42));
        Collections.sort(shuffled);
        assertThat(shuffled).isEqualTo(ordered);
    }

    @Test
    void startsBeforeEveryStateOfItsKey() {
        assertThat(StateKey.before("b"))
                .isLessThan(StateKey.of("b", 0, " "))
                .isGreaterThan(StateKey.of("a\uffff", Long.MAX_VALUE, "z"));
        assertThat(StateKey.before("")).isLessThan(StateKey.of(" ", 0, " "));
    }

    @Test
    void isEqualExactlyWhenItsPartsAre() {
        Seeded.run(random -> {
            for (int i = 0; i < 500; i++) {
                StateKey key = Seeded.stateKey(random);
                StateKey same = StateKey.of(key.key(), key.sequence(), key.action(), key.event());
                StateKey other = Seeded.stateKey(random);
                assertThat(same).isEqualTo(key).hasSameHashCodeAs(key).isEqualByComparingTo(key);
                assertThat(key.equals(other)).isEqualTo(key.compareTo(other) == 0);
                assertThat(Integer.signum(key.compareTo(other))).isEqualTo(-Integer.signum(other.compareTo(key)));
            }
        });
    }

    @Test
    void isNotTheSameWithAndWithoutEvent() {
        assertThat(StateKey.of("k", 0, "a"))
                .isNotEqualTo(StateKey.of("k", 0, "a", "e"))
                .isNotEqualTo("k/0/a");
    }

    @Test
    void readsLikeAPath() {
        assertThat(StateKey.of("order-42", 7, "charge-card")).hasToString("order-42/7/charge-card");
        assertThat(StateKey.of("order-42", 7, "charge-card", "evt-1")).hasToString("order-42/7/charge-card/evt-1");
    }
}
