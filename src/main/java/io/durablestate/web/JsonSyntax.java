package io.durablestate.web;

import io.durablestate.failure.Problem;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/** Checks that bytes are one JSON value in UTF-8, without changing or binding them. */
final class JsonSyntax {

    /** Deepest nesting of arrays and objects. */
    static final int MAX_DEPTH = 1_000;

    private final JsonFactory json = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /**
     * Refuses bytes that are not JSON.
     *
     * @param bytes at least one
     * @throws ProblemException with line and column
     */
    void require(byte[] bytes) {
        CharBuffer text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            throw ProblemException.of(Problem.MALFORMED_JSON, "The body is not UTF-8");
        }
        if (text.charAt(0) == '\uFEFF') {
            throw malformed("a byte order mark before the value", 1, 1);
        }
        try (JsonParser parser =
                json.createParser(ObjectReadContext.empty(), text.array(), text.arrayOffset(), text.length())) {
            readOneValue(parser);
        } catch (StreamConstraintsException e) {
            throw ProblemException.of(Problem.MALFORMED_JSON, "The body is nested deeper than %d".formatted(MAX_DEPTH));
        } catch (JacksonException e) {
            TokenStreamLocation at = e.getLocation();
            throw malformed(
                    plain(e.getOriginalMessage()), at == null ? 0 : at.getLineNr(), at == null ? 0 : at.getColumnNr());
        }
    }

    private static void readOneValue(JsonParser parser) {
        if (parser.nextToken() == null) {
            throw malformed("no value", 1, 1);
        }
        parser.skipChildren();
        if (parser.nextToken() != null) {
            TokenStreamLocation at = parser.currentTokenLocation();
            throw malformed("more than one value", at.getLineNr(), at.getColumnNr());
        }
    }

    /** The parser's words without what it says of itself. */
    private static String plain(@Nullable String message) {
        if (message == null) {
            return "not JSON";
        }
        String firstLine = message.lines().findFirst().orElse("");
        int aside = firstLine.indexOf(" (start marker");
        return aside < 0 ? firstLine : firstLine.substring(0, aside);
    }

    private static ProblemException malformed(String fault, int line, int column) {
        return ProblemException.of(
                Problem.MALFORMED_JSON,
                "The body is not one JSON value: %s, at line %d, column %d".formatted(fault, line, column),
                Map.of("line", line, "column", column));
    }

    /** The bytes as JSON text, when they are JSON. */
    Optional<String> textOf(byte[] bytes) {
        try {
            require(bytes);
            return Optional.of(new String(bytes, StandardCharsets.UTF_8));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }
}
