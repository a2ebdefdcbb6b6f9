package io.durablestate.web;

import io.durablestate.failure.Problem;
import io.durablestate.state.StateDocument;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/** The request headers that the states know, taken strictly. */
final class RequestHeaders {

    private static final List<String> CONDITIONS_OF_WRITES =
            List.of(HttpHeaders.IF_UNMODIFIED_SINCE, HttpHeaders.CONTENT_RANGE);
    private static final List<String> CONDITIONS_OF_ONE_STATE = List.of(
            HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH, Preconditions.ATTEMPT, Preconditions.IDEMPOTENCY_KEY);
    private static final List<String> CONDITIONS_OF_READS = List.of(
            HttpHeaders.IF_MATCH,
            HttpHeaders.IF_UNMODIFIED_SINCE,
            Preconditions.ATTEMPT,
            Preconditions.IDEMPOTENCY_KEY);

    /** A preference with or without quotes and parameters, RFC 7240 section 2. */
    private static final Pattern RETURN_MINIMAL =
            Pattern.compile("\\s*return\\s*=\\s*\"?minimal\"?\\s*(;.*)?", Pattern.CASE_INSENSITIVE);

    private RequestHeaders() {}

    /** A condition that writes do not know is refused, never ignored. */
    static void refuseConditionsOfWrites(HttpServletRequest request) {
        refuse(request, CONDITIONS_OF_WRITES);
    }

    /** A write that is for more than one state, or none, knows no conditions by header. */
    static void refuseConditionsOfOneState(HttpServletRequest request) {
        refuse(request, CONDITIONS_OF_WRITES);
        refuse(request, CONDITIONS_OF_ONE_STATE);
    }

    /** A condition that reads do not know is refused, never ignored. */
    static void refuseConditionsOfReads(HttpServletRequest request) {
        refuse(request, CONDITIONS_OF_READS);
    }

    private static void refuse(HttpServletRequest request, List<String> names) {
        for (String name : names) {
            if (request.getHeader(name) != null) {
                throw ProblemException.invalidParameter(name, "is not known here", "the request without this header");
            }
        }
    }

    /** The content type as it was sent, JSON when it was not. */
    static String contentType(HttpServletRequest request) {
        List<String> types = Collections.list(request.getHeaders(HttpHeaders.CONTENT_TYPE));
        if (types.size() > 1) {
            throw ProblemException.invalidParameter(HttpHeaders.CONTENT_TYPE, "is given twice", "once");
        }
        String type = types.isEmpty() ? "" : types.get(0).strip();
        if (type.isEmpty()) {
            return MediaType.APPLICATION_JSON_VALUE;
        }
        if (type.length() > StateDocument.MAX_CONTENT_TYPE_LENGTH || !isMediaType(type)) {
            throw ProblemException.invalidParameter(
                    HttpHeaders.CONTENT_TYPE,
                    "is not a media type",
                    "type/subtype with parameters, at most %d characters"
                            .formatted(StateDocument.MAX_CONTENT_TYPE_LENGTH));
        }
        if (isJson(type) && !isUtf8(type)) {
            throw ProblemException.invalidParameter(
                    HttpHeaders.CONTENT_TYPE, "names a charset that JSON is never in", "charset=utf-8, or none");
        }
        return type;
    }

    private static boolean isUtf8(String type) {
        Charset charset = MediaType.parseMediaType(type).getCharset();
        return charset == null || charset.equals(StandardCharsets.UTF_8) || charset.equals(StandardCharsets.US_ASCII);
    }

    private static boolean isMediaType(String type) {
        try {
            MediaType parsed = MediaType.parseMediaType(type);
            return parsed.isConcrete() && type.chars().allMatch(c -> c >= 0x20 && c < 0x7F);
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    /** Whether a stored type says that the bytes are JSON. */
    static boolean isJson(String contentType) {
        try {
            MediaType type = MediaType.parseMediaType(contentType);
            return type.isCompatibleWith(MediaType.APPLICATION_JSON)
                    || type.getSubtype().toLowerCase(Locale.ROOT).endsWith("+json");
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    static void refuseContentEncoding(HttpServletRequest request) {
        for (String encoding : Collections.list(request.getHeaders(HttpHeaders.CONTENT_ENCODING))) {
            if (!encoding.isBlank() && !encoding.trim().equalsIgnoreCase("identity")) {
                throw ProblemException.of(
                        Problem.UNSUPPORTED_ENCODING,
                        "Bodies are stored byte for byte; send the body without Content-Encoding");
            }
        }
    }

    /** Whether the caller wants no body in the answer to a write. */
    static boolean prefersMinimal(HttpServletRequest request) {
        return Collections.list(request.getHeaders("Prefer")).stream()
                .flatMap(value -> List.of(value.split(",", -1)).stream())
                .anyMatch(preference -> RETURN_MINIMAL.matcher(preference).matches());
    }

    /** Whether the caller has a revision already, by {@code If-None-Match}, else by {@code If-Modified-Since}. */
    static boolean hasRevision(HttpServletRequest request, String etag, Instant lastModified) {
        List<String> known = Collections.list(request.getHeaders(HttpHeaders.IF_NONE_MATCH));
        if (known.isEmpty()) {
            return lastModified.getEpochSecond() * 1_000 <= modifiedSince(request);
        }
        return known.stream()
                .flatMap(value -> List.of(value.split(",", -1)).stream())
                .anyMatch(tag -> matches(tag.trim(), etag));
    }

    /** Milliseconds since the epoch; a date that cannot be read counts as absent, as RFC 9110 section 13.1.3 has it. */
    private static long modifiedSince(HttpServletRequest request) {
        try {
            return request.getDateHeader(HttpHeaders.IF_MODIFIED_SINCE);
        } catch (IllegalArgumentException e) {
            return -1;
        }
    }

    private static boolean matches(String tag, @Nullable String etag) {
        return tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag);
    }
}
