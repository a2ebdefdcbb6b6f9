package io.durablestate.log;

import io.durablestate.state.Attempt;
import io.durablestate.state.ClaimRecord.Claim;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The values of claims: {@code {"worker":"pod-7","ordinal":3,"previous":{…}}}, and
 * {@code {"closed":true,"worker":"pod-7","ordinal":3,"closes":{…}}} for one that closes. An attempt in it is
 * {@code {"attempt":1042,"ordinal":2,"worker":"pod-3","startedAt":"…","closedAt":"…"}}. What is not known is left out.
 */
final class ClaimValues {

    private final JsonMapper json = JsonMapper.shared();

    byte[] encode(Claim claim) {
        ObjectNode value = json.createObjectNode();
        if (claim.closed()) {
            value.put("closed", true);
        }
        if (claim.worker() != null) {
            value.put("worker", claim.worker());
        }
        value.put("ordinal", claim.ordinal());
        Attempt other = claim.other();
        if (other != null) {
            put(value.putObject(claim.closed() ? "closes" : "previous"), other);
        }
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void put(ObjectNode value, Attempt attempt) {
        value.put("attempt", attempt.number());
        value.put("ordinal", attempt.ordinal());
        if (attempt.worker() != null) {
            value.put("worker", attempt.worker());
        }
        value.put("startedAt", attempt.startedAt().toString());
        if (attempt.closedAt() != null) {
            value.put("closedAt", attempt.closedAt().toString());
        }
    }

    /**
     * Reads a value.
     *
     * @param expectWithin what the record's header says
     * @throws NotUnderstoodException when the value is not a JSON object
     */
    Claim decode(byte[] value, @Nullable Duration expectWithin) throws NotUnderstoodException {
        JsonNode claim;
        try {
            claim = json.readTree(value);
        } catch (JacksonException e) {
            throw new NotUnderstoodException("a claim's value is not JSON");
        }
        if (claim == null || !claim.isObject()) {
            throw new NotUnderstoodException("a claim's value is not a JSON object");
        }
        boolean closed = claim.path("closed").asBoolean(false);
        return new Claim(
                textOf(claim.path("worker")),
                closed,
                claim.path("ordinal").asInt(0),
                attemptOf(claim.path(closed ? "closes" : "previous")),
                expectWithin);
    }

    private static @Nullable String textOf(JsonNode node) {
        return node.isString() ? node.stringValue() : null;
    }

    private static @Nullable Attempt attemptOf(JsonNode node) {
        Instant startedAt = instantOf(node.path("startedAt"));
        if (!node.path("attempt").isIntegralNumber() || startedAt == null) {
            return null;
        }
        return new Attempt(
                node.path("attempt").asLong(0),
                node.path("ordinal").asInt(0),
                textOf(node.path("worker")),
                startedAt,
                instantOf(node.path("closedAt")));
    }

    private static @Nullable Instant instantOf(JsonNode node) {
        try {
            return node.isString() ? Instant.parse(node.stringValue()) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
