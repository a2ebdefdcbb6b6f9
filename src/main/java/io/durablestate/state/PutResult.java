package io.durablestate.state;

/**
 * The answer to a put that Kafka acknowledged.
 *
 * @param receipt what was stored and where
 * @param created whether this instance knew of no state under that name before
 */
public record PutResult(StateReceipt receipt, boolean created) {}
