package io.durablestate.failure;

import io.durablestate.state.FailedWrite;
import io.durablestate.state.NotServingException;
import io.durablestate.state.Reach;
import io.durablestate.state.Refusal;
import io.durablestate.state.WriteRefusedException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.DuplicateSequenceException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * What a failed write means: the problem, and what is known of the record.
 *
 * <p>The record is called not persisted only where that is certain: it never entered the producer's buffer, the broker
 * refused it for its size, or the broker refused the only request that carried it. Everything else is unknown until the log
 * tells.
 *
 * @param causes what was thrown, outermost first
 */
public record Diagnosis(Problem problem, Outcome outcome, List<Cause> causes) {

    /**
     * One link of a chain of causes.
     *
     * @param type name of the exception's class
     * @param message its message, empty when it has none
     */
    public record Cause(String type, String message) {

        /** Its message without a full stop, or its name without package when it has none. */
        public String text() {
            if (message.isBlank()) {
                return type.substring(type.lastIndexOf('.') + 1);
            }
            String trimmed = message.strip();
            return trimmed.endsWith(".") ? trimmed.substring(0, trimmed.length() - 1) : trimmed;
        }

        static Cause of(Throwable thrown) {
            return new Cause(thrown.getClass().getName(), thrown.getMessage() == null ? "" : thrown.getMessage());
        }
    }

    public static Diagnosis of(FailedWrite failure) {
        List<Throwable> chain = chainOf(failure.cause());
        Throwable root = chain.get(chain.size() - 1);
        if (failure.cause() instanceof WriteRefusedException refused) {
            return new Diagnosis(of(refused.refusal()), Outcome.NOT_PERSISTED, List.of(Cause.of(refused)));
        }
        boolean neverSent = failure.reach() == Reach.NOT_BEGUN
                || (failure.reach() == Reach.NEVER_BUFFERED && !mayComeAfterBuffering(root));
        Problem problem = problemOf(root, chain, neverSent);
        boolean certain = neverSent
                || problem == Problem.STATE_TOO_LARGE
                || (failure.reach() == Reach.ASKED_ONCE && isRefusalBeforeTheAppend(problem, root));
        return new Diagnosis(
                problem,
                certain ? Outcome.NOT_PERSISTED : Outcome.UNKNOWN,
                chain.stream().map(Cause::of).toList());
    }

    /** The innermost of the causes. */
    public Cause rootCause() {
        return causes.get(causes.size() - 1);
    }

    private static List<Throwable> chainOf(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable t = thrown; t != null && !chain.contains(t); t = t.getCause()) {
            chain.add(t);
        }
        return chain;
    }

    /** The producer raises these also for a record that is in its buffer already. */
    private static boolean mayComeAfterBuffering(Throwable root) {
        return root instanceof ProducerFencedException || root instanceof InvalidProducerEpochException;
    }

    private static boolean isRefusalBeforeTheAppend(Problem problem, Throwable root) {
        return problem == Problem.KAFKA_REFUSED
                || (root instanceof NotEnoughReplicasException && problem == Problem.NOT_ENOUGH_REPLICAS);
    }

    private static Problem problemOf(Throwable root, List<Throwable> chain, boolean neverSent) {
        if (root instanceof InterruptedException || root instanceof InterruptException) {
            return Problem.INTERRUPTED;
        }
        for (Throwable link : chain) {
            if (link instanceof NotServingException notServing) {
                return of(notServing.reason());
            }
        }
        if (root instanceof RecordTooLargeException || root instanceof RecordBatchTooLargeException) {
            return Problem.STATE_TOO_LARGE;
        }
        if (root instanceof BufferExhaustedException) {
            return Problem.OVERLOADED;
        }
        if (root instanceof NotEnoughReplicasException || root instanceof NotEnoughReplicasAfterAppendException) {
            return Problem.NOT_ENOUGH_REPLICAS;
        }
        if (isRefusal(root)) {
            return Problem.KAFKA_REFUSED;
        }
        if (root instanceof RetriableException) {
            return neverSent ? Problem.KAFKA_UNAVAILABLE : Problem.ACK_TIMEOUT;
        }
        return root instanceof DuplicateSequenceException ? Problem.ACK_TIMEOUT : Problem.INTERNAL;
    }

    private static boolean isRefusal(Throwable root) {
        return root instanceof AuthorizationException
                || root instanceof AuthenticationException
                || root instanceof UnknownTopicOrPartitionException
                || root instanceof UnknownTopicIdException
                || root instanceof InvalidTopicException;
    }

    /** The problem that a conditional write meets which did not take effect. */
    public static Problem of(Refusal refusal) {
        if (refusal instanceof Refusal.Fenced fenced) {
            return fenced.closed() ? Problem.ATTEMPT_CLOSED : Problem.ATTEMPT_FENCED;
        }
        return Problem.PRECONDITION_FAILED;
    }

    /** The problem that a request meets which the service does not take. */
    public static Problem of(NotServingException.Reason reason) {
        return switch (reason) {
            case RECOVERING -> Problem.RECOVERING;
            case OVERLOADED -> Problem.OVERLOADED;
            case STOPPING -> Problem.RECOVERING;
            case KAFKA_UNAVAILABLE -> Problem.KAFKA_UNAVAILABLE;
            case NOT_ENOUGH_REPLICAS -> Problem.NOT_ENOUGH_REPLICAS;
            case KAFKA_REFUSED -> Problem.KAFKA_REFUSED;
        };
    }
}
