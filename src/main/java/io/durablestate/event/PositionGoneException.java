package io.durablestate.event;

/** What came after a position is not kept any more, so nobody can go on from there without a gap. */
public final class PositionGoneException extends RuntimeException {

    PositionGoneException(String message) {
        super(message);
    }
}
