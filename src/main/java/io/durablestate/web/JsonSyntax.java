package io.durablestate.web;

import io.durablestate.failure.Problem;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
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

    /** Where the parser begins to speak of itself: its settings, and places of its own. */
    private static final Pattern ASIDE = Pattern.compile("( \\((start marker|not recognized as)|: enable ).*");

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
        CharBuffer text = decode(bytes);
        if (text.charAt(0) == '\uFEFF') {
            throw malformed("a byte order mark before the value", 1, 1);
        }
        try (JsonParser parser =
                json.createParser(ObjectReadContext.empty(), text.array(), text.arrayOffset(), text.length())) {
            readOneValue(parser);
        }
    }

    private static CharBuffer decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
        out.flip();
        if (result.isError()) {
            String before = out.toString();
            int lineStart = before.lastIndexOf('\n') + 1;
            int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
            throw malformed("bytes that are not UTF-8", line, before.length() - lineStart + 1);
        }
        return out;
    }

    private static void readOneValue(JsonParser parser) {
        try {
            if (parser.nextToken() == null) {
                throw malformed("no value", 1, 1);
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw malformed("more than one value", parser.currentTokenLocation());
            }
        } catch (StreamConstraintsException e) {
            throw malformed("nesting deeper than %d".formatted(MAX_DEPTH), parser.currentLocation());
        } catch (JacksonException e) {
            TokenStreamLocation at = e.getLocation();
            throw malformed(plain(e.getOriginalMessage()), at == null ? parser.currentLocation() : at);
        }
    }

    /** The parser's words without what it says of itself. */
    private static String plain(@Nullable String message) {
        if (message == null) {
            return "not JSON";
        }
        return ASIDE.matcher(message.lines().findFirst().orElse("")).replaceFirst("");
    }

    private static ProblemException malformed(String fault, TokenStreamLocation at) {
        return malformed(fault, at.getLineNr(), at.getColumnNr());
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
