package io.durablestate.web;

import io.durablestate.state.StateKey;
import io.durablestate.state.StateReceipt;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is known about a stored state, as JSON. */
@Schema(description = "What is known about a stored state beside its bytes")
record Receipt(
        @Schema(example = "order-42") String key,
        @Schema(example = "7") long sequence,
        @Schema(example = "charge-card") String action,
        @Nullable @Schema(nullable = true) String event,

        @Schema(description = "Where it was written; also its ETag", example = "3-1042")
        String revision,

        @Schema(description = "Whether the action is done") boolean completed,

        @Nullable @Schema(description = "The attempt that wrote it, if any", nullable = true)
        Long attempt,

        @Schema(description = "Bytes of the body", example = "482")
        int size,

        @Schema(example = "application/json") String contentType,
        @Schema(example = "2026-01-31T09:30:00.123Z") Instant timestamp,

        @Schema(description = "The write that stored it", example = "0b6f1c9e-7e0d-4d8e-9a55-6a4c0b3f8a11")
        String writeId) {

    static Receipt of(StateReceipt receipt) {
        StateKey key = receipt.key();
        return new Receipt(
                key.key(),
                key.sequence(),
                key.action(),
                key.event(),
                receipt.revision().toString(),
                receipt.completed(),
                receipt.attempt(),
                receipt.size(),
                receipt.contentType(),
                receipt.timestamp(),
                receipt.writeId());
    }
}
