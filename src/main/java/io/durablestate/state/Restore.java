package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/**
 * What a restore says: as of an offset this is in effect.
 *
 * @param asOf newest offset of the state that its writer had folded
 * @param version what is in effect, or null when the state is not there
 * @param body the bytes of the version, or null with it
 * @param writeId the write that stored the version, or one made up when there is none
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record Restore(long asOf, @Nullable StateVersion version, byte @Nullable [] body, String writeId) {

    static Restore of(long asOf, StateVersion version, byte[] body) {
        return new Restore(asOf, version, body, version.writeId());
    }

    static Restore ofNothing(long asOf) {
        return new Restore(asOf, null, null, Terms.NONE.writeId());
    }
}
