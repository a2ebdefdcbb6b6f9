package io.durablestate.failure;

import io.durablestate.state.FailedWrite;
import io.durablestate.state.Operation;
import io.durablestate.state.Reach;
import io.durablestate.state.StateKey;
import io.durablestate.state.WritePhase;
import io.durablestate.state.WriteTimings;
import java.time.Duration;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;

/** Writes that failed, for tests that do not care how. */
final class FailedWrites {

    static final StateKey KEY = StateKey.of("order-42", 7, "charge-card");
    static final WriteTimings TIMINGS = new WriteTimings(
            Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofMillis(300), Duration.ofMillis(321));

    private FailedWrites() {}

    static FailedWrite failed(Reach reach, Throwable cause) {
        return failed("w-1", reach, cause);
    }

    private static FailedWrite failed(String writeId, Reach reach, Throwable cause) {
        return new FailedWrite(
                Operation.PUT, KEY.key(), KEY, 3, null, writeId, WritePhase.ACKNOWLEDGEMENT, reach, TIMINGS, cause);
    }

    /** One whose outcome nobody knows. */
    static FailedWrite unknown(String writeId) {
        return failed(writeId, Reach.UNKNOWN, new TimeoutException("Expiring 1 record(s)"));
    }

    /** One of which it is known that the log does not have it. */
    static FailedWrite known(String writeId) {
        return failed(writeId, Reach.ASKED_ONCE, new RecordTooLargeException("too large"));
    }
}
