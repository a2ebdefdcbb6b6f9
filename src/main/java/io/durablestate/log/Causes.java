package io.durablestate.log;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;

/** Puts what Kafka's clients throw into words. */
final class Causes {

    private Causes() {}

    /** A sentence and, behind a colon, the innermost reason that says anything. */
    static String sentence(String sentence, Throwable thrown) {
        Throwable cause = unwrap(thrown);
        String reason = cause.getMessage();
        return reason == null || reason.isBlank() ? sentence : sentence + ": " + reason;
    }

    static Throwable unwrap(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null && isWrapper(cause)) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static boolean isWrapper(Throwable thrown) {
        return thrown instanceof ExecutionException
                || thrown instanceof TimeoutException
                || thrown.getClass() == KafkaException.class;
    }
}
