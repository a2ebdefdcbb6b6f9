package io.durablestate.state;

import java.time.Duration;

/** Failures of writes, as the service throws them. */
public final class WriteFailures {

    private WriteFailures() {}

    /** A put of {@code order-42/7/charge-card} with the write id {@code w-1} whose terms did not hold. */
    public static FailedWrite refused(Refusal refusal) {
        return new FailedWrite(
                Operation.PUT,
                "order-42",
                StateKey.of("order-42", 7, "charge-card"),
                3,
                17L,
                "w-1",
                WritePhase.VERDICT,
                Reach.UNKNOWN,
                new WriteTimings(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO),
                new WriteRefusedException(refusal, "w-1"));
    }

    /** A put of {@code order-42/7/charge-card} with the write id {@code w-1} that was not acknowledged. */
    public static StateWriteException thrown(Reach reach, Throwable cause) {
        return new StateWriteException(new FailedWrite(
                Operation.PUT,
                "order-42",
                StateKey.of("order-42", 7, "charge-card"),
                3,
                null,
                "w-1",
                WritePhase.ACKNOWLEDGEMENT,
                reach,
                new WriteTimings(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO),
                cause));
    }
}
