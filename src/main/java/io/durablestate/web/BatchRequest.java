package io.durablestate.web;

import io.durablestate.state.Revision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** The body of a batch, read strictly: {@code {"writes":[{"key":…,"sequence":…,"action":…,"state":…}, …]}}. */
final class BatchRequest {

    /** Most writes in a batch. */
    static final int MAX_WRITES = 1_000;

    private static final String FIELDS =
            "key, sequence, action, event, completed, expectWithin, attempt, ifMatch, ifNoneMatch, idempotencyKey, and state"
                    + " or delete";
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(JsonSyntax.MAX_DEPTH + 10)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final byte[] json;
    private final JsonParser parser;

    private BatchRequest(byte[] json, JsonParser parser) {
        this.json = json;
        this.parser = parser;
    }

    /** One write as it was asked for; names are not checked yet. */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Write(
            String key,
            long sequence,
            String action,
            @Nullable String event,
            boolean completed,
            @Nullable String expectWithin,
            @Nullable Long attempt,
            @Nullable Revision ifMatch,
            boolean ifNoneMatch,
            @Nullable String idempotencyKey,
            byte @Nullable [] state) {}

    /**
     * Reads the writes.
     *
     * @param json one JSON value
     * @throws ProblemException naming the field that is not as it must be
     */
    static List<Write> parse(byte[] json) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            return new BatchRequest(json, parser).writes();
        }
    }

    private List<Write> writes() {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw refused("body", "is not a JSON object", "{\"writes\":[…]}");
        }
        List<Write> writes = null;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            if (!name.equals("writes") || writes != null) {
                throw refused(name, writes == null ? "is not known here" : "is given twice", "writes, once");
            }
            writes = array();
        }
        if (writes == null || writes.isEmpty()) {
            throw refused("writes", writes == null ? "is missing" : "is empty", "1 to %d writes".formatted(MAX_WRITES));
        }
        return writes;
    }

    private List<Write> array() {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw refused("writes", "is not an array", "1 to %d writes".formatted(MAX_WRITES));
        }
        List<Write> writes = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (writes.size() == MAX_WRITES) {
                throw refused("writes", "has too many", "1 to %d writes".formatted(MAX_WRITES));
            }
            writes.add(new Fields("writes[%d]".formatted(writes.size())).read());
        }
        return writes;
    }

    private static ProblemException refused(String name, String fault, String allowed) {
        return ProblemException.invalidParameter(name, fault, allowed);
    }

    /** The fields of one write. */
    private final class Fields {

        private final String place;
        private final List<String> seen = new ArrayList<>();
        private @Nullable String key;
        private @Nullable Long sequence;
        private @Nullable String action;
        private @Nullable String event;
        private boolean completed;
        private @Nullable String expectWithin;
        private @Nullable Long attempt;
        private @Nullable Revision ifMatch;
        private boolean ifNoneMatch;
        private @Nullable String idempotencyKey;
        private byte @Nullable [] state;
        private boolean delete;

        private Fields(String place) {
            this.place = place;
        }

        private Write read() {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw refused(place, "is not a JSON object", "an object with " + FIELDS);
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                if (seen.contains(name)) {
                    throw refused(at(name), "is given twice", "once");
                }
                seen.add(name);
                take(name, parser.nextToken());
            }
            if (delete == (state != null)) {
                throw refused(
                        at("state"),
                        delete ? "is given beside delete" : "is missing",
                        "either state or \"delete\":true");
            }
            if (delete && (completed || ifNoneMatch || expectWithin != null)) {
                throw refused(
                        at("delete"),
                        "does not go with completed, expectWithin or ifNoneMatch",
                        "ifMatch, attempt, idempotencyKey");
            }
            return new Write(
                    given("key", key),
                    given("sequence", sequence),
                    given("action", action),
                    event,
                    completed,
                    expectWithin,
                    attempt,
                    ifMatch,
                    ifNoneMatch,
                    idempotencyKey,
                    state);
        }

        private String at(String name) {
            return place + "." + name;
        }

        private <T> T given(String name, @Nullable T value) {
            if (value == null) {
                throw refused(at(name), "is missing", FIELDS);
            }
            return value;
        }

        private void take(String name, JsonToken token) {
            if (name.equals("state")) {
                state = RawJson.take(parser, json);
                return;
            }
            boolean absent = token == JsonToken.VALUE_NULL;
            switch (name) {
                case "key" -> key = absent ? null : text(name, token);
                case "sequence" -> sequence = absent ? null : number(name, token);
                case "action" -> action = absent ? null : text(name, token);
                case "event" -> event = absent ? null : text(name, token);
                case "completed" -> completed = !absent && flag(name, token);
                case "expectWithin" -> expectWithin = absent ? null : text(name, token);
                case "attempt" -> attempt = absent ? null : number(name, token);
                case "ifMatch" -> ifMatch = absent ? null : revision(name, token);
                case "ifNoneMatch" -> ifNoneMatch = !absent && anything(name, token);
                case "idempotencyKey" ->
                    idempotencyKey = absent ? null : Preconditions.requireName(at(name), text(name, token));
                case "delete" -> delete = !absent && flag(name, token);
                default -> throw refused(at(name), "is not known here", FIELDS);
            }
        }

        private String text(String name, JsonToken token) {
            if (token != JsonToken.VALUE_STRING) {
                throw refused(at(name), "is not text", "text");
            }
            return parser.getString();
        }

        private long number(String name, JsonToken token) {
            if (token != JsonToken.VALUE_NUMBER_INT) {
                throw refused(at(name), "is not a whole number", WholeNumber.ALLOWED);
            }
            return WholeNumber.require(at(name), parser.getString());
        }

        private boolean flag(String name, JsonToken token) {
            if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
                throw refused(at(name), "is neither true nor false", "true, false");
            }
            return token == JsonToken.VALUE_TRUE;
        }

        private Revision revision(String name, JsonToken token) {
            return Revision.parse(text(name, token))
                    .orElseThrow(() ->
                            refused(at(name), "is not a revision", "a revision without more quotes, such as 3-1042"));
        }

        /** As the header: {@code "*"}, or true. */
        private boolean anything(String name, JsonToken token) {
            if (token == JsonToken.VALUE_STRING && parser.getString().equals("*")) {
                return true;
            }
            if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
                return token == JsonToken.VALUE_TRUE;
            }
            throw refused(at(name), "is not *", "\"*\", true, false");
        }
    }
}
