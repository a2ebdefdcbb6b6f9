package io.durablestate.state;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a stored state beside its bytes.
 *
 * @param revision where it was written
 * @param completed whether its action has come to its end
 * @param attempt the attempt that wrote it, absent when it was written without one
 * @param size bytes of the body
 * @param contentType media type of the body
 * @param timestamp when it was written, to the millisecond
 * @param writeId the write that stored it
 */
public record StateReceipt(
        StateKey key,
        Revision revision,
        boolean completed,
        @Nullable Long attempt,
        int size,
        String contentType,
        Instant timestamp,
        String writeId) {}
