package io.durablestate.web;

import io.durablestate.DurableStateProperties;
import io.durablestate.failure.Problem;
import io.durablestate.state.StateDocument;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/** Reads the body of a PUT as the caller sent it, within its limit, and checks that it is what it says. */
@Component
final class StateRequestBody {

    private final int limit;
    private final Uploads uploads;
    private final JsonSyntax json = new JsonSyntax();

    StateRequestBody(DurableStateProperties properties, Uploads uploads) {
        this.uploads = uploads;
        this.limit = (int) properties.maxStateSize().toBytes();
    }

    /**
     * Reads the whole body. Blocks while the caller sends it; never holds more than the limit in memory.
     *
     * @throws ProblemException when the body is empty, too large, encoded, or not the JSON that it says it is
     * @throws IOException when the caller goes away before the end
     */
    StateDocument read(HttpServletRequest request, boolean completed, @Nullable Duration expectWithin)
            throws IOException {
        RequestHeaders.refuseContentEncoding(request);
        String contentType = RequestHeaders.contentType(request);
        byte[] body = bytes(request, limit, " (durable-state.max-state-size)");
        if (body.length == 0) {
            throw ProblemException.of(Problem.EMPTY_STATE, "The body is empty; a state has at least one byte");
        }
        if (RequestHeaders.isJson(contentType)) {
            json.require(body);
        }
        return new StateDocument(contentType, body, completed, expectWithin);
    }

    /**
     * Reads a body that is JSON, or nothing. Blocks while the caller sends it; never holds more than the limit in memory.
     *
     * @param limit most bytes that are taken
     * @throws ProblemException when the body is too large, encoded, or not JSON
     */
    byte[] json(HttpServletRequest request, int limit) throws IOException {
        RequestHeaders.refuseContentEncoding(request);
        String contentType = RequestHeaders.contentType(request);
        if (!RequestHeaders.isJson(contentType)) {
            throw ProblemException.invalidParameter(HttpHeaders.CONTENT_TYPE, "is not JSON", "application/json");
        }
        byte[] body = bytes(request, limit, "");
        if (body.length > 0) {
            json.require(body);
        }
        return body;
    }

    private byte[] bytes(HttpServletRequest request, int limit, String setting) throws IOException {
        if (request.getContentLengthLong() > limit) {
            throw tooLarge(limit, setting);
        }
        byte[] body = uploads.read(request, limit);
        if (body.length > limit) {
            throw tooLarge(limit, setting);
        }
        return body;
    }

    private static ProblemException tooLarge(int limit, String setting) {
        return ProblemException.of(
                Problem.STATE_TOO_LARGE,
                "The body is larger than %d bytes%s".formatted(limit, setting),
                Map.of("limit", limit));
    }
}
