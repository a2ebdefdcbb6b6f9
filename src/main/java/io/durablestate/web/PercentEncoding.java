package io.durablestate.web;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Percent-encoded UTF-8, taken strictly: what is not well-formed is not text. */
final class PercentEncoding {

    private PercentEncoding() {}

    /** The text behind an encoded one; empty when an escape is broken or the bytes are not UTF-8. */
    static Optional<String> decode(String encoded) {
        ByteBuffer bytes = ByteBuffer.allocate(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c != '%') {
                if (c > 0xFF) {
                    return Optional.empty();
                }
                bytes.put((byte) c);
                continue;
            }
            int high = i + 2 <= encoded.length() - 1 ? Character.digit(encoded.charAt(i + 1), 16) : -1;
            int low = i + 2 <= encoded.length() - 1 ? Character.digit(encoded.charAt(i + 2), 16) : -1;
            if (high < 0 || low < 0) {
                return Optional.empty();
            }
            bytes.put((byte) (high << 4 | low));
            i += 2;
        }
        try {
            return Optional.of(
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** The text as one path segment. */
    static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append('%').append(String.format("%02X", (int) c));
            }
        }
        return encoded.toString();
    }
}
