package io.durablestate.state;

import io.durablestate.state.StateRecord.Expectation;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What must hold for a write to take effect, and the name that its caller gave it.
 *
 * @param ifRevision what must be in effect, or null when anything may
 * @param attempt the attempt that writes, which no newer claim may have fenced; or null
 * @param idempotencyKey the caller's id of the write, 1 to 128 visible ASCII characters; or null for one made up
 */
public record Terms(
        @Nullable Expectation ifRevision,
        @Nullable Long attempt,
        @Nullable String idempotencyKey) {

    /** Nothing need hold. */
    public static final Terms NONE = new Terms(null, null, null);

    /** Only while a version is in effect. */
    static Terms onlyIf(StateVersion version) {
        return new Terms(new Expectation(version.revision()), null, null);
    }

    Terms withoutName() {
        return new Terms(ifRevision, attempt, null);
    }

    /** Whether the log must be asked if the write took effect. */
    boolean areConditional() {
        return ifRevision != null || attempt != null;
    }

    String writeId() {
        return idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey;
    }
}
