package io.durablestate.web;

import io.durablestate.state.StateKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Cursors of lists: the name of the last item, in a form that nobody should read. */
final class Cursors {

    private Cursors() {}

    static String of(StateKey last) {
        String sequence = Long.toString(last.sequence());
        return encode(
                last.event() == null
                        ? List.of(last.key(), sequence, last.action())
                        : List.of(last.key(), sequence, last.action(), last.event()));
    }

    static String of(String lastKey) {
        return encode(List.of(lastKey));
    }

    private static String encode(List<String> parts) {
        byte[] text = String.join("\n", parts).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    /** @throws ProblemException when this is not a cursor of a list of states */
    static StateKey state(String cursor) {
        try {
            String[] parts = decode(cursor);
            return StateKey.of(parts[0], Long.parseLong(parts[1]), parts[2], parts.length > 3 ? parts[3] : null);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw foreign();
        }
    }

    /** @throws ProblemException when this is not a cursor of a list of keys */
    static String key(String cursor) {
        try {
            String[] parts = decode(cursor);
            if (parts.length == 1) {
                return parts[0];
            }
        } catch (IllegalArgumentException e) {
            throw foreign();
        }
        throw foreign();
    }

    private static String[] decode(String cursor) {
        return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split("\n", -1);
    }

    private static ProblemException foreign() {
        return ProblemException.invalidParameter("cursor", "is not one of this service", "the next of the page before");
    }
}
