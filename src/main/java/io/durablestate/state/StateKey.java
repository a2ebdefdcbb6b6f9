package io.durablestate.state;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The full name of a state: key, sequence, action, and an event where one action handles several.
 *
 * <p>Key, action and event are 1 to 255 bytes of UTF-8 without control characters, and not {@code .} or {@code ..};
 * they are compared as they are, never normalised. The sequence is 0 or more. State keys are ordered by key, sequence,
 * action, event, a state without event before those with one.
 */
public final class StateKey implements Comparable<StateKey> {

    /** Most bytes of UTF-8 in a key, an action or an event. */
    public static final int MAX_SEGMENT_BYTES = 255;

    private static final Comparator<StateKey> ORDER = Comparator.comparing(StateKey::key)
            .thenComparingLong(StateKey::sequence)
            .thenComparing(StateKey::action)
            .thenComparing(StateKey::event, Comparator.nullsFirst(Comparator.naturalOrder()));

    private final String key;
    private final long sequence;
    private final String action;
    private final @Nullable String event;

    private StateKey(String key, long sequence, String action, @Nullable String event) {
        this.key = key;
        this.sequence = sequence;
        this.action = action;
        this.event = event;
    }

    /**
     * The name of a state whose action handles several events, or of one without event.
     *
     * @throws InvalidStateKeyException naming the part that is not allowed and why
     */
    public static StateKey of(String key, long sequence, String action, @Nullable String event) {
        requireSegment("key", key);
        if (sequence < 0) {
            throw new InvalidStateKeyException(
                    "sequence", "is negative", "a decimal number from 0 to " + Long.MAX_VALUE);
        }
        requireSegment("action", action);
        if (event != null) {
            requireSegment("event", event);
        }
        return new StateKey(key, sequence, action, event);
    }

    /**
     * The name of a state without event.
     *
     * @throws InvalidStateKeyException naming the part that is not allowed and why
     */
    public static StateKey of(String key, long sequence, String action) {
        return of(key, sequence, action, null);
    }

    /** The place in the order before every state of a key that is, or starts with, the given text. No state's name. */
    static StateKey before(String keyOrPrefix) {
        return new StateKey(keyOrPrefix, -1, "", null);
    }

    /**
     * Checks one textual part of a state key.
     *
     * @param name what the part is called in the error
     * @throws InvalidStateKeyException when the value is not 1 to 255 bytes of legal text
     */
    public static void requireSegment(String name, String value) {
        String fault = faultOf(value);
        if (fault != null) {
            throw new InvalidStateKeyException(
                    name,
                    fault,
                    "1 to %d bytes of UTF-8 without control characters, not . or ..".formatted(MAX_SEGMENT_BYTES));
        }
    }

    private static @Nullable String faultOf(String value) {
        if (value.isEmpty()) {
            return "is empty";
        }
        if (value.equals(".") || value.equals("..")) {
            return "is " + value;
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            return "has a control character";
        }
        try {
            int bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(value))
                    .remaining();
            return bytes > MAX_SEGMENT_BYTES ? "has %d bytes".formatted(bytes) : null;
        } catch (CharacterCodingException e) {
            return "has half of a surrogate pair";
        }
    }

    public String key() {
        return key;
    }

    public long sequence() {
        return sequence;
    }

    public String action() {
        return action;
    }

    public @Nullable String event() {
        return event;
    }

    @Override
    public int compareTo(StateKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StateKey that
                && key.equals(that.key)
                && sequence == that.sequence
                && action.equals(that.action)
                && Objects.equals(event, that.event);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * (31 * key.hashCode() + Long.hashCode(sequence)) + action.hashCode())
                + Objects.hashCode(event);
    }

    /** Key, sequence, action and event, separated by {@code /}; for people, not to be parsed. */
    @Override
    public String toString() {
        return key + "/" + sequence + "/" + action + (event == null ? "" : "/" + event);
    }
}
