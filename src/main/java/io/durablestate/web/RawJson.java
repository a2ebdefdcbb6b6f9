package io.durablestate.web;

import java.util.Arrays;
import tools.jackson.core.JsonParser;

/** Cuts values out of JSON as they stand there, so that no number is written anew. */
final class RawJson {

    private RawJson() {}

    /** The bytes of the value whose first token the parser is at, which it passes. The parser must read the given bytes. */
    static byte[] take(JsonParser parser, byte[] json) {
        int start = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        int end = (int) parser.currentLocation().getByteOffset();
        return Arrays.copyOfRange(json, start, end);
    }
}
