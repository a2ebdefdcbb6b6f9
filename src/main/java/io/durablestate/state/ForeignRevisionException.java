package io.durablestate.state;

/** A revision was named for a key that lives in another partition, so no read of the key ever comes to it. */
public final class ForeignRevisionException extends RuntimeException {

    ForeignRevisionException(Revision revision, int partition) {
        super("%s is in another partition than the key, which lives in partition %d".formatted(revision, partition));
    }
}
