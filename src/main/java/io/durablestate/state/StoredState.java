package io.durablestate.state;

/**
 * A state as it lies in the log.
 *
 * @param body the bytes as they were put; shared, not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record StoredState(StateReceipt receipt, byte[] body) {}
