package io.durablestate.web;

import io.durablestate.failure.Diagnosis;
import io.durablestate.fault.Fault;
import io.durablestate.fault.FaultKind;
import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The body that arms faults, read strictly. */
final class FaultRequest {

    private static final int MAX_BYTES = 64 * 1024;
    private static final int MAX_FAULTS = 100;
    private static final int MAX_COUNT = 1_000;
    private static final int MAX_DELAY_MILLIS = 60_000;
    private static final List<String> FIELDS =
            List.of("fault", "count", "operation", "key", "prefix", "problem", "delayMillis");
    private static final List<Operation> OPERATIONS =
            List.of(Operation.PUT, Operation.DELETE, Operation.PRUNE, Operation.BATCH, Operation.CLAIM);
    private static final List<Reason> REASONS =
            List.of(Reason.RECOVERING, Reason.OVERLOADED, Reason.KAFKA_UNAVAILABLE, Reason.NOT_ENOUGH_REPLICAS);

    private final JsonNode fault;

    private FaultRequest(JsonNode fault) {
        this.fault = fault;
    }

    /** Reads one fault, or a list of them. Blocks while the caller sends it. */
    static List<Fault> read(HttpServletRequest request, StateRequestBody bodies) throws IOException {
        byte[] bytes = bodies.json(request, MAX_BYTES);
        if (bytes.length == 0) {
            throw ProblemException.invalidParameter("body", "is empty", "a fault, or a list of them");
        }
        JsonNode body = JsonMapper.shared().readTree(bytes);
        List<JsonNode> nodes = body.isArray() ? body.valueStream().toList() : List.of(body);
        if (nodes.isEmpty() || nodes.size() > MAX_FAULTS) {
            throw ProblemException.invalidParameter(
                    "body", "has %d faults".formatted(nodes.size()), "1 to " + MAX_FAULTS);
        }
        List<Fault> faults = new ArrayList<>();
        nodes.forEach(node -> faults.add(new FaultRequest(node).fault()));
        return faults;
    }

    private Fault fault() {
        if (!fault.isObject()) {
            throw ProblemException.invalidParameter("body", "is not a JSON object", String.join(", ", FIELDS));
        }
        for (String name : fault.propertyNames()) {
            if (!FIELDS.contains(name)) {
                throw ProblemException.invalidParameter(name, "is not known here", String.join(", ", FIELDS));
            }
        }
        FaultKind kind = word("fault", Arrays.asList(FaultKind.values()), FaultKind::word);
        if (kind == null) {
            throw ProblemException.invalidParameter(
                    "fault", "is missing", words(Arrays.asList(FaultKind.values()), FaultKind::word));
        }
        refuseUnless(kind == FaultKind.REJECT, "problem");
        refuseUnless(kind == FaultKind.DELAY, "delayMillis");
        Reason reason = word("problem", REASONS, FaultRequest::slug);
        return new Fault(
                kind,
                number("count", 1, MAX_COUNT),
                word("operation", OPERATIONS, Operation::word),
                text("key"),
                text("prefix"),
                reason == null ? Reason.OVERLOADED : reason,
                Duration.ofMillis(number("delayMillis", 1_000, MAX_DELAY_MILLIS)));
    }

    private void refuseUnless(boolean fits, String name) {
        if (!fits && fault.has(name)) {
            throw ProblemException.invalidParameter(name, "does not go with this fault", "this fault without it");
        }
    }

    private int number(String name, int otherwise, int max) {
        JsonNode node = fault.path(name);
        if (node.isMissingNode()) {
            return otherwise;
        }
        if (!node.isInt() || node.intValue() < 1 || node.intValue() > max) {
            throw ProblemException.invalidParameter(
                    name, "is not a number in range", "a whole number from 1 to %d".formatted(max));
        }
        return node.intValue();
    }

    private @Nullable String text(String name) {
        JsonNode node = fault.path(name);
        if (node.isMissingNode()) {
            return null;
        }
        if (!node.isString() || node.stringValue().isEmpty()) {
            throw ProblemException.invalidParameter(name, "is not text", "text");
        }
        return node.stringValue();
    }

    private <T> @Nullable T word(String name, List<T> values, Function<T, String> wordOf) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        return values.stream()
                .filter(value -> wordOf.apply(value).equals(text))
                .findFirst()
                .orElseThrow(() -> ProblemException.invalidParameter(name, "is not known", words(values, wordOf)));
    }

    private static <T> String words(List<T> values, Function<T, String> wordOf) {
        return values.stream().map(wordOf).collect(Collectors.joining(", "));
    }

    private static String slug(Reason reason) {
        return Diagnosis.of(reason).slug();
    }

    /** The problem that a rejected write is answered with, null for another fault. */
    static @Nullable String problemOf(Fault fault) {
        return fault.kind() == FaultKind.REJECT ? slug(fault.reason()) : null;
    }

    /** How long a delayed write waits, null for another fault. */
    static @Nullable Long delayOf(Fault fault) {
        return fault.kind() == FaultKind.DELAY ? fault.delay().toMillis() : null;
    }
}
