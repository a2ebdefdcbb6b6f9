package io.durablestate.web;

import io.durablestate.state.InvalidStateKeyException;
import io.durablestate.state.StateKey;

/** The name of a state in an address: {@code /api/v1/states/{key}/{sequence}/{action}[/{event}]}. */
final class StatePath {

    /** Where the states are, below the context path. */
    static final String STATES = "/api/v1/states";

    private static final int MAX_DIGITS = 19;
    private static final char[] MUST_BE_ENCODED = ";\"<>[\\]^`{|}".toCharArray();
    private static final String[] NAMES = {"key", "sequence", "action", "event"};

    private StatePath() {}

    /**
     * Reads the name of a state from the path of a request as it was sent, undecoded.
     *
     * @throws InvalidStateKeyException naming the segment that is not allowed and why
     */
    static StateKey parse(String rawPath) {
        String rest = rawPath.substring(rawPath.indexOf(STATES) + STATES.length());
        String[] segments = rest.substring(Math.min(1, rest.length())).split("/", -1);
        if (segments.length < 3 || segments.length > 4) {
            throw new InvalidStateKeyException(
                    "path",
                    "has %d segments after %s".formatted(segments.length, STATES),
                    "{key}/{sequence}/{action} or {key}/{sequence}/{action}/{event}, a slash within one percent-encoded");
        }
        String[] texts = new String[segments.length];
        for (int i = 0; i < segments.length; i++) {
            texts[i] = decode(NAMES[i], segments[i]);
        }
        return StateKey.of(texts[0], sequence(texts[1]), texts[2], texts.length == 4 ? texts[3] : null);
    }

    static String decode(String name, String segment) {
        for (char c : MUST_BE_ENCODED) {
            if (segment.indexOf(c) >= 0) {
                throw new InvalidStateKeyException(
                        name, "has a bare %c".formatted(c), "%%%02X instead".formatted((int) c));
            }
        }
        return PercentEncoding.decode(segment)
                .orElseThrow(() -> new InvalidStateKeyException(
                        name,
                        "is not percent-encoded UTF-8",
                        "UTF-8, every byte that is not a letter or digit percent-encoded"));
    }

    private static long sequence(String text) {
        Long sequence = text.length() <= MAX_DIGITS ? WholeNumber.parse(text) : null;
        if (sequence == null) {
            throw new InvalidStateKeyException("sequence", "is not a number in range", WholeNumber.ALLOWED);
        }
        return sequence;
    }

    /** The path of a state, encoded, below the context path. */
    static String of(StateKey key) {
        return STATES + "/" + PercentEncoding.encode(key.key()) + "/" + key.sequence() + "/"
                + PercentEncoding.encode(key.action())
                + (key.event() == null ? "" : "/" + PercentEncoding.encode(key.event()));
    }
}
