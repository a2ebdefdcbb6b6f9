package io.durablestate.log;

import io.durablestate.state.StateKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The Kafka keys of the state log: JSON arrays without spaces, {@code ["s","order-42",7,"charge-card"]} for a state and
 * {@code ["a","order-42"]} for a claim.
 *
 * <p>The same identity has the same bytes, since compaction compares bytes: what is not written this way is not understood.
 */
final class RecordKeys {

    private static final String STATE = "s";
    private static final String CLAIM = "a";

    private final JsonFactory json = new JsonFactory();

    /** Who a Kafka key speaks of: a state, or the attempt of a key. */
    sealed interface Identity permits OfState, OfClaim {

        /** The business key, which decides the partition. */
        String key();
    }

    record OfState(StateKey state) implements Identity {
        @Override
        public String key() {
            return state.key();
        }
    }

    record OfClaim(String key) implements Identity {}

    static byte[] encode(Identity identity) {
        StringBuilder text = new StringBuilder(64);
        if (identity instanceof OfState ofState) {
            StateKey state = ofState.state();
            append(append(text.append('['), STATE).append(','), state.key());
            append(text.append(',').append(state.sequence()).append(','), state.action());
            if (state.event() != null) {
                append(text.append(','), state.event());
            }
        } else {
            append(append(text.append('['), CLAIM).append(','), identity.key());
        }
        return text.append(']').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Writes a JSON string; a part of a state key has no control characters, so only two need escaping. */
    private static StringBuilder append(StringBuilder text, String part) {
        text.append('"');
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c);
        }
        return text.append('"');
    }

    /** @throws NotUnderstoodException saying why */
    Identity decode(byte @Nullable [] bytes) throws NotUnderstoodException {
        if (bytes == null) {
            throw new NotUnderstoodException("the Kafka key is missing");
        }
        Identity identity;
        try {
            identity = identityOf(elementsOf(bytes));
        } catch (JacksonException | IllegalArgumentException e) {
            throw new NotUnderstoodException("the Kafka key is not that of a state or a claim");
        }
        if (!Arrays.equals(encode(identity), bytes)) {
            throw new NotUnderstoodException("the Kafka key is not in its one form");
        }
        return identity;
    }

    /** The strings and numbers of a flat JSON array, as text; a number is marked by being a Long. */
    private List<Object> elementsOf(byte[] bytes) {
        List<Object> elements = new ArrayList<>(5);
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), bytes)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new IllegalArgumentException("not an array");
            }
            for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                elements.add(
                        token == JsonToken.VALUE_NUMBER_INT ? (Object) parser.getLongValue() : textOf(token, parser));
            }
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("more than one value");
            }
        }
        return elements;
    }

    private static String textOf(@Nullable JsonToken token, JsonParser parser) {
        if (token != JsonToken.VALUE_STRING) {
            throw new IllegalArgumentException("neither text nor number");
        }
        return parser.getString();
    }

    private static Identity identityOf(List<Object> elements) {
        if (elements.size() == 2 && CLAIM.equals(elements.get(0)) && elements.get(1) instanceof String key) {
            StateKey.requireSegment("key", key);
            return new OfClaim(key);
        }
        boolean hasEvent = elements.size() == 5;
        if ((elements.size() == 4 || hasEvent)
                && STATE.equals(elements.get(0))
                && elements.get(1) instanceof String key
                && elements.get(2) instanceof Long sequence
                && elements.get(3) instanceof String action) {
            return new OfState(StateKey.of(key, sequence, action, hasEvent ? textAt(elements, 4) : null));
        }
        throw new IllegalArgumentException("neither a state nor a claim");
    }

    private static String textAt(List<Object> elements, int index) {
        if (elements.get(index) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("not text");
    }
}
