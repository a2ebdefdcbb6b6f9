package io.durablestate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.durablestate.log.RecordKeys.OfClaim;
import io.durablestate.log.RecordKeys.OfState;
import io.durablestate.state.Seeded;
import io.durablestate.state.StateKey;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordKeysTests {

    private final RecordKeys keys = new RecordKeys();

    private static String written(RecordKeys.Identity identity) {
        return new String(RecordKeys.encode(identity), StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void ofAStateIsAnArrayOfItsParts() {
        assertThat(written(new OfState(StateKey.of("order-42", 7, "charge-card"))))
                .isEqualTo("[\"s\",\"order-42\",7,\"charge-card\"]");
        assertThat(written(new OfState(StateKey.of("order-42", 7, "charge-card", "evt-1"))))
                .isEqualTo("[\"s\",\"order-42\",7,\"charge-card\",\"evt-1\"]");
    }

    @Test
    void ofAClaimIsAnArrayOfTwo() {
        assertThat(written(new OfClaim("order-42"))).isEqualTo("[\"a\",\"order-42\"]");
    }

    @Test
    void escapesWhatItMustAndNothingElse() {
        assertThat(written(new OfClaim("a\"b\\c/d\u00e9\ud83d\ude00\u2028")))
                .isEqualTo("[\"a\",\"a\\\"b\\\\c/d\u00e9\ud83d\ude00\u2028\"]");
    }

    @Test
    void isReadAsItIsWritten() {
        Seeded.run(random -> {
            for (int i = 0; i < 2_000; i++) {
                RecordKeys.Identity identity = random.nextInt(4) == 0
                        ? new OfClaim(Seeded.segment(random))
                        : new OfState(Seeded.stateKey(random));
                byte[] bytes = RecordKeys.encode(identity);
                if (!keys.decode(bytes).equals(identity)) {
                    throw new AssertionError("Read %s from %s".formatted(keys.decode(bytes), written(identity)));
                }
            }
        });
    }

    @Test
    void namesTheBusinessKey() {
        assertThat(new OfState(StateKey.of("order-42", 7, "charge-card")).key()).isEqualTo("order-42");
        assertThat(new OfClaim("order-42").key()).isEqualTo("order-42");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"s\", \"order-42\",7,\"charge-card\"]",
                " [\"s\",\"order-42\",7,\"charge-card\"]",
                "[\"s\",\"order-42\",7,\"charge-card\"]\n",
                "[\"s\",\"order-\\u0034\\u0032\",7,\"charge-card\"]",
                "[\"\\u0073\",\"order-42\",7,\"charge-card\"]",
                "[\"s\",\"a\\/b\",7,\"charge-card\"]",
                "[\"s\",\"order-42\",07,\"charge-card\"]",
                "[\"s\",\"order-42\",+7,\"charge-card\"]",
                "[\"s\",\"order-42\",-7,\"charge-card\"]",
                "[\"s\",\"order-42\",-0,\"charge-card\"]",
                "[\"s\",\"order-42\",7.0,\"charge-card\"]",
                "[\"s\",\"order-42\",7e0,\"charge-card\"]",
                "[\"s\",\"order-42\",9223372036854775808,\"charge-card\"]",
                "[\"s\",\"order-42\",\"7\",\"charge-card\"]",
                "[\"s\",42,7,\"charge-card\"]",
                "[\"s\",\"order-42\",7,8]",
                "[\"s\",\"order-42\",7,\"charge-card\",null]",
                "[\"s\",\"order-42\",7,\"charge-card\",8]",
                "[\"s\",\"order-42\",7,\"charge-card\",\"\"]",
                "[\"s\",\"order-42\",7,\"charge-card\",\"evt-1\",\"more\"]",
                "[\"s\",\"order-42\",7]",
                "[\"s\",\"order-42\"]",
                "[\"s\",\"\",7,\"charge-card\"]",
                "[\"s\",\".\",7,\"charge-card\"]",
                "[\"s\",\"a\\nb\",7,\"charge-card\"]",
                "[\"s\",\"a\nb\",7,\"charge-card\"]",
                "[\"s\",\"a\\ud800\",7,\"charge-card\"]",
                "[\"S\",\"order-42\",7,\"charge-card\"]",
                "[\"s\",\"order-42\",7,\"charge-card\"] []",
                "[\"s\",\"order-42\",7,\"charge-card\"",
                "[\"s\",\"order-42\",7,\"charge-card\",]",
                "[\"a\",\"order-42\",1]",
                "[\"a\",7]",
                "[\"a\",[\"order-42\"]]",
                "[\"a\",{\"key\":\"order-42\"}]",
                "[\"a\",true]",
                "[\"a\"]",
                "[]",
                "{\"s\":\"order-42\"}",
                "\"order-42\"",
                "order-42",
                "7",
                "null",
                ""
            })
    void doesNotUnderstandAnyOtherForm(String text) {
        assertNotUnderstood(utf8(text));
    }

    @Test
    void doesNotUnderstandOtherEncodings() {
        String text = "[\"a\",\"order-42\"]";
        for (String charset : new String[] {"UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE"}) {
            assertNotUnderstood(text.getBytes(Charset.forName(charset)));
        }
        assertNotUnderstood(utf8("\ufeff" + text));
        assertNotUnderstood("[\"a\",\"\u00e9\"]".getBytes(StandardCharsets.ISO_8859_1));
        // Half of a surrogate pair, and a slash in two bytes: both are what UTF-8 does not allow.
        assertNotUnderstood(new byte[] {'[', '"', 'a', '"', ',', '"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"', ']'});
        assertNotUnderstood(new byte[] {'[', '"', 'a', '"', ',', '"', (byte) 0xC0, (byte) 0xAF, '"', ']'});
    }

    @Test
    void doesNotUnderstandAMissingKey() {
        assertNotUnderstood(null);
    }

    @Test
    void doesNotUnderstandPartsThatAreTooLong() {
        assertNotUnderstood(utf8("[\"a\",\"%s\"]".formatted("a".repeat(256))));
        assertNotUnderstood(utf8("[".repeat(5_000)));
    }

    private void assertNotUnderstood(byte[] bytes) {
        assertThatExceptionOfType(NotUnderstoodException.class)
                .isThrownBy(() -> keys.decode(bytes))
                .satisfies(e -> assertThat(e.reason()).startsWith("the Kafka key is"));
    }
}
