package io.durablestate.web;

import io.durablestate.state.InvalidStateKeyException;
import io.durablestate.state.StateKey;

/** The name of an attempt in an address: {@code /api/v1/attempts/{key}[/{attempt}]}. */
record AttemptPath(String key, String rest) {

    /** Where the attempts are, below the context path. */
    static final String ATTEMPTS = "/api/v1/attempts";

    /**
     * Reads a key, and what follows it, from the path of a request as it was sent, undecoded.
     *
     * @throws InvalidStateKeyException when the key is not allowed
     */
    static AttemptPath parse(String rawPath) {
        String below = rawPath.substring(rawPath.indexOf(ATTEMPTS) + ATTEMPTS.length() + 1);
        int slash = below.indexOf('/');
        String key = StatePath.decode("key", slash < 0 ? below : below.substring(0, slash));
        StateKey.requireSegment("key", key);
        return new AttemptPath(key, slash < 0 ? "" : below.substring(slash + 1));
    }

    /** The number of the attempt. */
    long attempt() {
        return WholeNumber.require("attempt", rest);
    }

    static String of(String key) {
        return ATTEMPTS + "/" + PercentEncoding.encode(key);
    }
}
