package io.durablestate.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.state.NotServingException;
import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.Reach;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.DuplicateSequenceException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.kafka.core.KafkaProducerException;

class DiagnosisTests {

    private static final Outcome NOT_PERSISTED = Outcome.NOT_PERSISTED;
    private static final Outcome UNKNOWN = Outcome.UNKNOWN;

    /** What Kafka raised, the problem, and the outcome when the record was never buffered, asked for once, or neither. */
    static Stream<Arguments> table() {
        return Stream.of(
                row(
                        new RecordTooLargeException("r"),
                        Problem.STATE_TOO_LARGE,
                        NOT_PERSISTED,
                        NOT_PERSISTED,
                        NOT_PERSISTED),
                row(
                        new RecordBatchTooLargeException("r"),
                        Problem.STATE_TOO_LARGE,
                        NOT_PERSISTED,
                        NOT_PERSISTED,
                        NOT_PERSISTED),
                row(new BufferExhaustedException("r"), Problem.OVERLOADED, NOT_PERSISTED, UNKNOWN, UNKNOWN),
                row(
                        new NotEnoughReplicasException("r"),
                        Problem.NOT_ENOUGH_REPLICAS,
                        NOT_PERSISTED,
                        NOT_PERSISTED,
                        UNKNOWN),
                row(
                        new NotEnoughReplicasAfterAppendException("r"),
                        Problem.NOT_ENOUGH_REPLICAS,
                        NOT_PERSISTED,
                        UNKNOWN,
                        UNKNOWN),
                row(new TopicAuthorizationException("r"), Problem.KAFKA_REFUSED, NOT_PERSISTED, NOT_PERSISTED, UNKNOWN),
                row(
                        new ClusterAuthorizationException("r"),
                        Problem.KAFKA_REFUSED,
                        NOT_PERSISTED,
                        NOT_PERSISTED,
                        UNKNOWN),
                row(new SaslAuthenticationException("r"), Problem.KAFKA_REFUSED, NOT_PERSISTED, NOT_PERSISTED, UNKNOWN),
                row(
                        new UnknownTopicOrPartitionException("r"),
                        Problem.KAFKA_REFUSED,
                        NOT_PERSISTED,
                        NOT_PERSISTED,
                        UNKNOWN),
                row(new UnknownTopicIdException("r"), Problem.KAFKA_REFUSED, NOT_PERSISTED, NOT_PERSISTED, UNKNOWN),
                row(new InvalidTopicException("r"), Problem.KAFKA_REFUSED, NOT_PERSISTED, NOT_PERSISTED, UNKNOWN),
                row(new OutOfOrderSequenceException("r"), Problem.INTERNAL, NOT_PERSISTED, UNKNOWN, UNKNOWN),
                row(new UnknownServerException("r"), Problem.INTERNAL, NOT_PERSISTED, UNKNOWN, UNKNOWN),
                row(new IllegalStateException("r"), Problem.INTERNAL, NOT_PERSISTED, UNKNOWN, UNKNOWN),
                // The producer also raises these for records that are in its buffer.
                row(new ProducerFencedException("r"), Problem.INTERNAL, UNKNOWN, UNKNOWN, UNKNOWN),
                row(new InvalidProducerEpochException("r"), Problem.INTERNAL, UNKNOWN, UNKNOWN, UNKNOWN));
    }

    private static Arguments row(
            Exception raised, Problem problem, Outcome neverBuffered, Outcome askedOnce, Outcome unknown) {
        return Arguments.of(
                raised,
                problem,
                Map.of(Reach.NEVER_BUFFERED, neverBuffered, Reach.ASKED_ONCE, askedOnce, Reach.UNKNOWN, unknown));
    }

    @ParameterizedTest
    @MethodSource("table")
    void saysWhatAFailureMeansAndWhatIsKnownOfTheRecord(
            Exception raised, Problem problem, Map<Reach, Outcome> outcomes) {
        outcomes.forEach((reach, outcome) -> {
            for (Throwable cause : asTheClientsBringIt(raised)) {
                Diagnosis diagnosis = Diagnosis.of(FailedWrites.failed(reach, cause));
                assertThat(diagnosis.problem()).as("%s, %s", cause, reach).isEqualTo(problem);
                assertThat(diagnosis.outcome()).as("%s, %s", cause, reach).isEqualTo(outcome);
                assertThat(diagnosis.rootCause().type())
                        .isEqualTo(raised.getClass().getName());
            }
        });
    }

    /** As it is, from a template's send, and from a template's future. */
    private static List<Throwable> asTheClientsBringIt(Exception raised) {
        return List.of(
                raised,
                new org.springframework.kafka.KafkaException("Send failed", raised),
                new KafkaProducerException(new ProducerRecord<>("t", 1), "Failed to send", raised));
    }

    @Test
    void aTimeoutBeforeTheBufferMeansThatKafkaIsAwayAndThatNothingWasSent() {
        TimeoutException timeout = new TimeoutException("Topic durable-state not present in metadata after 10000 ms.");
        Diagnosis diagnosis =
                Diagnosis.of(FailedWrites.failed(Reach.NEVER_BUFFERED, new KafkaException("Send failed", timeout)));
        assertThat(diagnosis.problem()).isEqualTo(Problem.KAFKA_UNAVAILABLE);
        assertThat(diagnosis.outcome()).isEqualTo(Outcome.NOT_PERSISTED);
    }

    @Test
    void noMetadataBecauseThePartitionHasNoLeaderMeansThatKafkaIsAwayAndThatNothingWasSent() {
        Diagnosis diagnosis = Diagnosis.of(FailedWrites.failed(
                Reach.NEVER_BUFFERED,
                new KafkaException(
                        "Send failed",
                        new TimeoutException("Not present in metadata", new LeaderNotAvailableException("none")))));
        assertThat(diagnosis.problem()).isEqualTo(Problem.KAFKA_UNAVAILABLE);
        assertThat(diagnosis.outcome()).isEqualTo(Outcome.NOT_PERSISTED);
    }

    @Test
    void anAcknowledgementWithoutAPlaceLeavesOpenWhereTheRecordIs() {
        Diagnosis diagnosis =
                Diagnosis.of(FailedWrites.failed(Reach.UNKNOWN, new DuplicateSequenceException("already there")));
        assertThat(diagnosis.problem()).isEqualTo(Problem.ACK_TIMEOUT);
        assertThat(diagnosis.outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource(names = {"ASKED_ONCE", "UNKNOWN"})
    void aTimeoutOfABufferedRecordLeavesEverythingOpen(Reach reach) {
        for (Exception raised : List.of(
                new TimeoutException("Expiring 1 record(s)"),
                new NetworkException("disconnected"),
                new NotLeaderOrFollowerException("moved"),
                new CorruptRecordException("crc"))) {
            Diagnosis diagnosis = Diagnosis.of(FailedWrites.failed(reach, raised));
            assertThat(diagnosis.problem()).isEqualTo(Problem.ACK_TIMEOUT);
            assertThat(diagnosis.outcome()).isEqualTo(Outcome.UNKNOWN);
        }
    }

    /** Kafka's InterruptException sets the flag when it is made. */
    @AfterEach
    void clearInterruptFlag() {
        Thread.interrupted();
    }

    @Test
    void anInterruptLeavesEverythingOpen() {
        for (Throwable cause : List.of(
                new InterruptedException(),
                new InterruptException(new InterruptedException()),
                new InterruptException("Flush interrupted."))) {
            for (Reach reach : List.of(Reach.ASKED_ONCE, Reach.UNKNOWN)) {
                Diagnosis diagnosis = Diagnosis.of(FailedWrites.failed(reach, cause));
                assertThat(diagnosis.problem()).isEqualTo(Problem.INTERRUPTED);
                assertThat(diagnosis.outcome()).isEqualTo(Outcome.UNKNOWN);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWriteThatWasNotLetInWasNotSent(Reason reason) {
        for (Throwable why : new Throwable[] {null, new TimeoutException("silence"), new NetworkException("gone")}) {
            NotServingException refusal = new NotServingException(reason, "Not now", why);
            Diagnosis diagnosis = Diagnosis.of(FailedWrites.failed(Reach.NEVER_BUFFERED, refusal));
            assertThat(diagnosis.problem()).isEqualTo(Diagnosis.of(reason));
            assertThat(diagnosis.outcome()).isEqualTo(Outcome.NOT_PERSISTED);
        }
        assertThat(Diagnosis.of(reason).status()).isEqualTo(503);
    }

    @Test
    void neverCallsKnownWhatMayHaveBeenAppended() {
        List<Problem> knownAfterBuffering =
                List.of(Problem.STATE_TOO_LARGE, Problem.KAFKA_REFUSED, Problem.NOT_ENOUGH_REPLICAS);
        table().forEach(row -> {
            Exception raised = (Exception) row.get()[0];
            Diagnosis asked = Diagnosis.of(FailedWrites.failed(Reach.ASKED_ONCE, raised));
            if (!knownAfterBuffering.contains(asked.problem())) {
                assertThat(asked.outcome()).as(raised.toString()).isEqualTo(Outcome.UNKNOWN);
            }
            Diagnosis unknown = Diagnosis.of(FailedWrites.failed(Reach.UNKNOWN, raised));
            if (unknown.problem() != Problem.STATE_TOO_LARGE) {
                assertThat(unknown.outcome()).as(raised.toString()).isEqualTo(Outcome.UNKNOWN);
            }
        });
    }

    @Test
    void listsTheCausesOutermostFirst() {
        Diagnosis diagnosis = Diagnosis.of(FailedWrites.failed(
                Reach.UNKNOWN, new KafkaException("Send failed", new NotEnoughReplicasException("1 of 2"))));
        assertThat(diagnosis.causes())
                .containsExactly(
                        new Diagnosis.Cause("org.apache.kafka.common.KafkaException", "Send failed"),
                        new Diagnosis.Cause("org.apache.kafka.common.errors.NotEnoughReplicasException", "1 of 2"));
        assertThat(diagnosis.rootCause().message()).isEqualTo("1 of 2");
    }

    @Test
    void takesCausesWithoutMessageAndInACircle() {
        Exception first = new IllegalStateException();
        Exception second = new IllegalStateException("second", first);
        first.initCause(second);

        Diagnosis diagnosis = Diagnosis.of(FailedWrites.failed(Reach.UNKNOWN, first));
        assertThat(diagnosis.causes()).hasSize(2);
        assertThat(diagnosis.causes().get(0).message()).isEmpty();
        assertThat(diagnosis.causes().get(1).message()).isEqualTo("second");
    }
}
