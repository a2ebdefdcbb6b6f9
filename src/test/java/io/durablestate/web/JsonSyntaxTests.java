package io.durablestate.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.durablestate.failure.Problem;
import io.durablestate.state.Seeded;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class JsonSyntaxTests {

    private final JsonSyntax json = new JsonSyntax();

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void assertJson(String text) {
        assertThatNoException().isThrownBy(() -> json.require(utf8(text)));
        assertThat(json.textOf(utf8(text))).contains(text);
    }

    private ProblemException refused(byte[] bytes) {
        assertThat(json.textOf(bytes)).isEmpty();
        try {
            json.require(bytes);
        } catch (ProblemException e) {
            assertThat(e.problem()).isEqualTo(Problem.MALFORMED_JSON);
            return e;
        }
        throw new AssertionError("Taken for JSON: " + new String(bytes, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "true",
                "false",
                "0",
                "-0",
                "\"\"",
                "\"a\"",
                " 1 ",
                "\r\n\t{ }\n",
                "[1,2,[3,{\"a\":[]}]]",
                "{\"a\":1,\"a\":2}",
                "\"ключ \ud83d\ude00\"",
                "\"\\u0000\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                "\"\u2028\"",
                "\"\\ud800\"",
                "{\"\\udfff\":1}"
            })
    void takesOneValueOfAnyKind(String text) {
        assertJson(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12345678901234567890.10",
                "1e400",
                "-1E-400",
                "0.1000",
                "1e99999999999999999999",
                "[1.0,1.00,1.000]"
            })
    void leavesNumbersAsTheyAre(String text) {
        assertJson(text);
        assertJson("{\"amount\":%s}".formatted(text));
    }

    @Test
    void takesLongNumbersStringsAndNames() {
        assertJson("1".repeat(100_000));
        assertJson("0." + "1".repeat(100_000) + "e" + "1".repeat(1_000));
        assertJson("\"%s\"".formatted("a".repeat(1_000_000)));
        assertJson("{\"%s\":1}".formatted("a".repeat(100_000)));
        assertJson("[%s1]".formatted("1,".repeat(200_000)));
    }

    @ParameterizedTest
    @CsvSource({"[, ]", "{\"a\":, }"})
    void takesWhatIsAThousandDeepAndNothingDeeper(String open, String close) {
        assertJson(open.repeat(1_000) + (close.equals("}") ? "1" : "") + close.repeat(1_000));
        assertThat(refused(utf8(open.repeat(1_001) + (close.equals("}") ? "1" : "") + close.repeat(1_001))))
                .hasMessageContaining("deeper than 1000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "\n",
                "{",
                "[",
                "[1",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,",
                "}",
                "]",
                "\"",
                "\"a",
                "'a'",
                "a",
                "{a:1}",
                "{'a':1}",
                "[1,]",
                "{\"a\":1,}",
                "[,1]",
                "[1 2]",
                "{\"a\" 1}",
                "{\"a\":1 \"b\":2}",
                "{1:2}",
                "nul",
                "TRUE",
                "None",
                "NaN",
                "Infinity",
                "-Infinity",
                "01",
                "-01",
                "+1",
                ".5",
                "1.",
                "1e",
                "1e+",
                "-",
                "--1",
                "0x1",
                "1_000",
                "\"\t\"",
                "\"\n\"",
                "\"\u0000\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\\",
                "// c\n1",
                "/* c */1",
                "#c\n1",
                "1 2",
                "{} {}",
                "{}{}",
                "{},",
                "{}]",
                "1,2",
                "null null",
                "\"a\"\"b\"",
                "{}x",
                "1x",
                "truex",
                "[]\u0000",
                "\u00a01",
                "1\u00a0",
                "\u20281"
            })
    void refusesWhatIsNotOneValue(String text) {
        assertThat(refused(utf8(text)))
                .hasMessageStartingWith("The body is not one JSON value: ")
                .hasMessageContaining("line ")
                .hasMessageContaining("column ");
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"a\":x}', 1, 6",
        "'{\"a\":1,\n \"b\":x}', 2, 6",
        "'{\n\"a\":1\n}\n  x', 4, 3",
        "'{}\n{}', 2, 1",
        "'[\r\n1,\r\nx]', 3, 1"
    })
    void saysWhere(String text, int line, int column) {
        ProblemException refusal = refused(utf8(text));
        assertThat(refusal.extras().get("line")).isEqualTo(line);
        assertThat((Integer) refusal.extras().get("column")).isBetween(column, column + 1);
        assertThat(refusal).hasMessageContaining("at line %d, column ".formatted(line));
    }

    @Test
    void saysWhereTheBytesAreNotUtf8() {
        assertThat(refused("[1,\n 2,\u00e9".getBytes(StandardCharsets.ISO_8859_1))
                        .extras())
                .isEqualTo(Map.of("line", 2, "column", 4));
        assertThat(refused(new byte[] {(byte) 0xFF}).extras()).isEqualTo(Map.of("line", 1, "column", 1));
    }

    @Test
    void saysWhereItIsTooDeep() {
        ProblemException refusal = refused(utf8("\n" + "[".repeat(1_001) + "]".repeat(1_001)));
        assertThat(refusal.extras()).containsEntry("line", 2);
        assertThat((Integer) refusal.extras().get("column")).isBetween(1_001, 1_002);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "01", "+1", "'a'", "[1,]", "{a:1}", "// c\n1", "\"\\x\"", "{\"a\":1 \"b\":2}"})
    void keepsTheParserOutOfIt(String text) {
        assertThat(refused(utf8(text)).getMessage())
                .doesNotContain("Feature")
                .doesNotContain("enable")
                .doesNotContain("REDACTED")
                .doesNotContain("Source");
    }

    @Test
    void refusesAByteOrderMark() {
        ProblemException refusal = refused(utf8("\ufeff{}"));
        assertThat(refusal).hasMessageContaining("byte order mark");
        assertThat(refusal.extras()).isEqualTo(Map.of("line", 1, "column", 1));
        refused(utf8("\ufeff"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"})
    void refusesOtherEncodings(String charset) {
        refused("{\"a\":1}".getBytes(Charset.forName(charset)));
        refused("1".getBytes(Charset.forName(charset)));
    }

    @Test
    void refusesWhatIsNotUtf8() {
        assertThat(refused("\"\u00e9\"".getBytes(StandardCharsets.ISO_8859_1)))
                .hasMessageContaining("not UTF-8, at line 1");
        refused(new byte[] {'"', (byte) 0xC0, (byte) 0xAF, '"'});
        refused(new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'});
        refused(new byte[] {(byte) 0xFF});
        refused(new byte[] {'1', (byte) 0xC3});
    }

    @Test
    void takesNothingThatAParserWouldRefuse() {
        JsonMapper strict = JsonMapper.shared();
        byte[] good = utf8("{\"a\":[1,-2.5e3,true,null,\"\\u00e9\\n\"],\"b\":{\"c\":\"é\"}} ");
        String noise = "{}[]\",:019eE+-. \\untf\n\u0001\u00e9";
        Seeded.run(random -> {
            int taken = 0;
            for (int i = 0; i < 5_000; i++) {
                byte[] bytes = good.clone();
                for (int changes = random.nextInt(3); changes > 0; changes--) {
                    bytes[random.nextInt(bytes.length)] = (byte) noise.charAt(random.nextInt(noise.length()));
                }
                if (json.textOf(bytes).isPresent()) {
                    taken++;
                    strict.readTree(bytes);
                }
            }
            assertThat(taken).isBetween(1_000, 4_500);
        });
    }
}
