package io.durablestate.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.state.Seeded;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentEncodingTests {

    @ParameterizedTest
    @CsvSource({
        "order-42, order-42",
        "a%2Fb, a/b",
        "a%2fb, a/b",
        "a%25b, a%b",
        "a%252Fb, a%2Fb",
        "a%3Bb, a;b",
        "a%5Cb, a\\b",
        "a%20b, a b",
        "a+b, a+b",
        "%D0%BA%D0%BB%D1%8E%D1%87, ключ",
        "%D1%91, \u0451",
        "%D0%B5%CC%88, \u0435\u0308",
        "%F0%9F%98%80, \ud83d\ude00",
        "%2E%2E, .."
    })
    void isReadAsBytesOfUtf8(String encoded, String text) {
        assertThat(PercentEncoding.decode(encoded)).contains(text);
    }

    @Test
    void takesBytesThatCameUnencoded() {
        // The server hands out each byte of a path as one character.
        String bytes = new String("ключ".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        assertThat(PercentEncoding.decode(bytes)).contains("ключ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%",
                "a%",
                "a%2",
                "%2",
                "%zz",
                "%2g",
                "%g2",
                "% 2",
                "%-1",
                "%+1",
                "%%",
                "%25%",
                "%FF",
                "a%FFb",
                "%C3",
                "%C3%28",
                "%C0%AF",
                "%ED%A0%80",
                "%F4%90%80%80",
                "\u00ff",
                "ключ"
            })
    void isNothingWhenItIsBrokenOrNotUtf8(String encoded) {
        assertThat(PercentEncoding.decode(encoded)).isEmpty();
    }

    @Test
    void leavesOnlyWhatIsSafeEverywhereAsItIs() {
        assertThat(PercentEncoding.encode("aZ09-._~")).isEqualTo("aZ09-._~");
        assertThat(PercentEncoding.encode("a/b%c;d\\e f+ключ\u0000"))
                .isEqualTo("a%2Fb%25c%3Bd%5Ce%20f%2B%D0%BA%D0%BB%D1%8E%D1%87%00");
    }

    @Test
    void isReadAsItIsWritten() {
        Seeded.run(random -> {
            for (int i = 0; i < 2_000; i++) {
                String text = Seeded.segment(random);
                String encoded = PercentEncoding.encode(text);
                if (!encoded.matches("[A-Za-z0-9._~%-]+")
                        || !PercentEncoding.decode(encoded).orElseThrow().equals(text)) {
                    throw new AssertionError("%s as %s".formatted(text, encoded));
                }
            }
        });
    }
}
