package io.durablestate.web;

import io.durablestate.state.InvalidStateKeyException;
import io.durablestate.state.StateKey;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The body of a claim: {@code {"worker":"pod-7"}}, or nothing. */
record ClaimRequest(@Nullable String worker) {

    private static final int MAX_BYTES = 16 * 1024;
    private static final String ALLOWED = "{\"worker\":\"…\"}, or no body";

    /** Reads the body. Blocks while the caller sends it. */
    static ClaimRequest read(HttpServletRequest request, StateRequestBody bodies) throws IOException {
        byte[] bytes = bodies.json(request, MAX_BYTES);
        if (bytes.length == 0) {
            return new ClaimRequest(null);
        }
        JsonNode body = JsonMapper.shared().readTree(bytes);
        if (!body.isObject()) {
            throw ProblemException.invalidParameter("body", "is not a JSON object", ALLOWED);
        }
        for (String name : body.propertyNames()) {
            if (!name.equals("worker")) {
                throw ProblemException.invalidParameter(name, "is not known here", ALLOWED);
            }
        }
        JsonNode worker = body.path("worker");
        if (worker.isMissingNode() || worker.isNull()) {
            return new ClaimRequest(null);
        }
        if (!worker.isString()) {
            throw ProblemException.invalidParameter("worker", "is not text", ALLOWED);
        }
        try {
            StateKey.requireSegment("worker", worker.stringValue());
        } catch (InvalidStateKeyException e) {
            throw ProblemException.invalidParameter("worker", e.fault(), e.allowed());
        }
        return new ClaimRequest(worker.stringValue());
    }
}
