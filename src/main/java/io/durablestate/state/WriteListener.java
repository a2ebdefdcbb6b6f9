package io.durablestate.state;

/** Hears how writes end, on the writing thread: must be quick and must not throw. */
public interface WriteListener {

    /** A record is about to be sent; one of the other two follows. */
    default void begun(WriteIdentity write) {}

    /** The write was acknowledged, took effect, and can be read. */
    default void acknowledged(Operation operation, WriteIdentity write, Revision at, WriteTimings timings) {}

    /** The write was not acknowledged, or did not take effect. */
    default void failed(FailedWrite failure) {}

    /** The service did not take the write, for a passing reason of its own. */
    default void refused(Operation operation, NotServingException.Reason reason) {}
}
