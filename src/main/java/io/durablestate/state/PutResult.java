package io.durablestate.state;

/**
 * The answer to a put that Kafka acknowledged.
 *
 * @param receipt what was stored and where
 * @param created whether this instance knew of no state under that name before
 * @param alreadyApplied whether an earlier request of the same write had stored it, so that nothing was written now
 */
public record PutResult(StateReceipt receipt, boolean created, boolean alreadyApplied) {

    static PutResult alreadyApplied(StateReceipt receipt) {
        return new PutResult(receipt, false, true);
    }
}
