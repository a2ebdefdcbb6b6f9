package io.durablestate.web;

import io.durablestate.failure.Problem;
import io.durablestate.state.StateDocument;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/** The request headers that the states know, taken strictly. */
final class RequestHeaders {

    private static final List<String> CONDITIONS_OF_WRITES =
            List.of(HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH, "Attempt", "Idempotency-Key");
    private static final List<String> CONDITIONS_OF_READS = List.of(HttpHeaders.IF_MATCH, "Attempt", "Idempotency-Key");

    private RequestHeaders() {}

    /** A condition that is not served yet is refused, never ignored. */
    static void refuseConditionsOfWrites(HttpServletRequest request) {
        refuse(request, CONDITIONS_OF_WRITES);
    }

    /** A condition that reads do not know is refused, never ignored. */
    static void refuseConditionsOfReads(HttpServletRequest request) {
        refuse(request, CONDITIONS_OF_READS);
    }

    private static void refuse(HttpServletRequest request, List<String> names) {
        for (String name : names) {
            if (request.getHeader(name) != null) {
                throw ProblemException.invalidParameter(
                        name, "is not supported by this version", "the request without this header");
            }
        }
    }

    /** The content type as it was sent, JSON when it was not. */
    static String contentType(HttpServletRequest request) {
        String type = request.getContentType();
        if (type == null || type.isBlank()) {
            return MediaType.APPLICATION_JSON_VALUE;
        }
        if (type.length() > StateDocument.MAX_CONTENT_TYPE_LENGTH || !isMediaType(type)) {
            throw ProblemException.invalidParameter(
                    HttpHeaders.CONTENT_TYPE,
                    "is not a media type",
                    "type/subtype with parameters, at most %d characters"
                            .formatted(StateDocument.MAX_CONTENT_TYPE_LENGTH));
        }
        return type;
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
                .anyMatch(token -> token.trim().equalsIgnoreCase("return=minimal"));
    }

    /** Whether the caller has a revision already, by {@code If-None-Match}. */
    static boolean hasRevision(HttpServletRequest request, String etag) {
        for (String value : Collections.list(request.getHeaders(HttpHeaders.IF_NONE_MATCH))) {
            for (String tag : value.split(",", -1)) {
                if (matches(tag.trim(), etag)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean matches(String tag, @Nullable String etag) {
        return tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag);
    }
}
