package io.durablestate.state;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a caller stores: bytes, their type, and whether the action is done.
 *
 * @param contentType media type of the bytes, 1 to 255 characters
 * @param body the bytes, at least one; shared, not copied: nobody may change them afterwards
 * @param completed whether the action has come to its end
 * @param expectWithin how long the next write of the key may take, or null when none is expected
 */
@SuppressWarnings("ArrayRecordComponent") // a document is handed on, never compared
public record StateDocument(
        String contentType,
        byte[] body,
        boolean completed,
        @Nullable Duration expectWithin) {

    /** Longest content type, in characters. */
    public static final int MAX_CONTENT_TYPE_LENGTH = 255;

    /** A document after which no other write is expected. */
    public StateDocument(String contentType, byte[] body, boolean completed) {
        this(contentType, body, completed, null);
    }

    public StateDocument {
        if (contentType.isEmpty() || contentType.length() > MAX_CONTENT_TYPE_LENGTH) {
            throw new IllegalArgumentException(
                    "A content type has 1 to %d characters".formatted(MAX_CONTENT_TYPE_LENGTH));
        }
        if (body.length == 0) {
            throw new IllegalArgumentException("A state has at least one byte; delete it instead of storing nothing");
        }
    }
}
