package io.durablestate.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.failure.Diagnosis;
import io.durablestate.failure.Problem;
import io.durablestate.state.InvalidStateKeyException;
import io.durablestate.state.NotServingException;
import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.Reach;
import io.durablestate.state.WriteFailures;
import java.io.EOFException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.HttpRequestMethodNotSupportedException;

class ApiErrorsTests {

    private static final String PATH = "/api/v1/states/order-42/7/charge-card";

    private final ApiErrors errors = new ApiErrors(() -> OptionalLong.of(10_000));

    private static MockHttpServletRequest request(String method) {
        return new MockHttpServletRequest(method, PATH);
    }

    private static ProblemDetail body(ResponseEntity<ProblemDetail> answer) {
        assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
        ProblemDetail detail = requireNonNull(answer.getBody());
        assertThat(detail.getStatus()).isEqualTo(answer.getStatusCode().value());
        assertThat(detail.getInstance()).isEqualTo(URI.create(PATH));
        return detail;
    }

    private static Map<String, Object> extras(ProblemDetail detail) {
        return requireNonNull(detail.getProperties());
    }

    @Test
    void sayWhichPartOfAKeyIsNotAllowed() {
        ProblemDetail detail = body(errors.invalidKey(
                new InvalidStateKeyException("action", "is empty", "1 to 255 bytes"), request("PUT")));
        assertThat(detail.getStatus()).isEqualTo(400);
        assertThat(detail.getType()).isEqualTo(URI.create("/problems/invalid-key"));
        assertThat(detail.getDetail()).isEqualTo("action is empty; allowed: 1 to 255 bytes");
        assertThat(extras(detail))
                .containsEntry("segment", "action")
                .containsEntry("allowed", "1 to 255 bytes")
                .containsEntry("outcome", "not-persisted");
    }

    @Test
    void sayTheLimitThatKafkaHasForAState() {
        ProblemDetail detail = body(errors.writeFailed(
                WriteFailures.thrown(Reach.UNKNOWN, new RecordTooLargeException("too large")), request("PUT")));
        assertThat(detail.getStatus()).isEqualTo(413);
        assertThat(extras(detail)).containsEntry("limit", 10_000L);
        assertThat(detail.getDetail())
                .endsWith("Kafka takes records of at most 10000 bytes (max.message.bytes of the topic).");
    }

    @ParameterizedTest
    @ValueSource(strings = {"//", "/api/v1/states/a[b]/1/x"})
    void areToldAlsoForAnAddressThatIsNoUri(String address) {
        ResponseEntity<ProblemDetail> answer = errors.problem(
                ProblemException.of(Problem.STATE_NOT_FOUND, "There is none"),
                new MockHttpServletRequest("GET", address));
        assertThat(answer.getStatusCode().value()).isEqualTo(404);
        // Else Spring would make one of its own, and fail.
        assertThat(requireNonNull(answer.getBody()).getInstance()).isNotNull();
    }

    @Test
    void sayWhyAWriteFailedAndWhatIsKnownOfIt() {
        ResponseEntity<ProblemDetail> answer = errors.writeFailed(
                WriteFailures.thrown(Reach.UNKNOWN, new TimeoutException("Expiring 1 record(s)")), request("PUT"));
        ProblemDetail detail = body(answer);
        assertThat(detail.getStatus()).isEqualTo(504);
        assertThat(detail.getType()).isEqualTo(URI.create("/problems/ack-timeout"));
        assertThat(detail.getDetail())
                .isEqualTo(
                        "Failed to send action state to Kafka: Expiring 1 record(s). " + Problem.ACK_TIMEOUT.meaning());
        assertThat(extras(detail))
                .containsEntry("outcome", "unknown")
                .containsEntry("writeId", "w-1")
                .containsEntry(
                        "rootCause",
                        new Diagnosis.Cause("org.apache.kafka.common.errors.TimeoutException", "Expiring 1 record(s)"));
        assertThat(answer.getHeaders().containsHeader(HttpHeaders.RETRY_AFTER)).isFalse();
    }

    @Test
    void sayWhenToTryAgainAfterWhatPasses() {
        ResponseEntity<ProblemDetail> answer = errors.writeFailed(
                WriteFailures.thrown(Reach.ASKED_ONCE, new NotEnoughReplicasException("1 of 2")), request("PUT"));
        assertThat(answer.getStatusCode().value()).isEqualTo(503);
        assertThat(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("1");
        assertThat(extras(body(answer))).containsEntry("outcome", "not-persisted");
    }

    @Test
    void nameTheCauseThatHasNoMessage() {
        ProblemDetail detail = body(errors.writeFailed(
                WriteFailures.thrown(Reach.UNKNOWN, new IllegalStateException()), request("DELETE")));
        assertThat(detail.getDetail()).startsWith("Failed to send action state to Kafka: IllegalStateException. ");
    }

    @Test
    void sayThatNothingWasDeletedWhenThereIsNothing() {
        ProblemDetail detail = body(errors.problem(
                ProblemException.of(Problem.STATE_NOT_FOUND, "There is no such state"), request("DELETE")));
        assertThat(extras(detail)).containsEntry("outcome", "not-persisted");
    }

    @ParameterizedTest
    @CsvSource({
        "RECOVERING, recovering, true",
        "OVERLOADED, overloaded, true",
        "KAFKA_UNAVAILABLE, kafka-unavailable, true",
        "KAFKA_REFUSED, kafka-refused, false"
    })
    void sayWhyNothingIsServedNow(Reason reason, String slug, boolean retryAfter) {
        ResponseEntity<ProblemDetail> answer =
                errors.notServing(new NotServingException(reason, "Not now"), request("PUT"));
        assertThat(answer.getStatusCode().value()).isEqualTo(503);
        assertThat(body(answer).getType()).isEqualTo(URI.create("/problems/" + slug));
        assertThat(body(answer).getDetail()).isEqualTo("Not now");
        assertThat(extras(body(answer))).containsEntry("outcome", "not-persisted");
        assertThat(answer.getHeaders().containsHeader(HttpHeaders.RETRY_AFTER)).isEqualTo(retryAfter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void speakOfNoOutcomeOnReads(String method) {
        ProblemDetail detail = body(errors.notServing(new NotServingException(Reason.RECOVERING, ""), request(method)));
        assertThat(detail.getProperties()).isNull();
        assertThat(body(errors.other(new IllegalStateException(), request(method)))
                        .getProperties())
                .isNull();
    }

    @Test
    void leaveTheOutcomeOfAnInterruptedWriteOpen() {
        ProblemDetail detail = body(errors.interrupted(new InterruptedException(), request("DELETE")));
        assertThat(detail.getStatus()).isEqualTo(503);
        assertThat(detail.getType()).isEqualTo(URI.create("/problems/interrupted"));
        assertThat(extras(detail)).containsEntry("outcome", "unknown");
    }

    @Test
    void hideWhatIsNotKnownAndLeaveItsOutcomeOpen() {
        ProblemDetail detail = body(errors.other(new IllegalStateException("secret"), request("PUT")));
        assertThat(detail.getStatus()).isEqualTo(500);
        assertThat(detail.getType()).isEqualTo(URI.create("/problems/internal"));
        assertThat(detail.toString()).doesNotContain("secret");
        assertThat(extras(detail)).containsEntry("outcome", "unknown");
    }

    @Test
    void keepWhatSpringSaysOfAWrongRequest() {
        ResponseEntity<ProblemDetail> answer = errors.other(
                new HttpRequestMethodNotSupportedException("PATCH", List.of("GET", "PUT")), request("PATCH"));
        assertThat(answer.getStatusCode().value()).isEqualTo(405);
        assertThat(answer.getHeaders().getAllow()).hasSize(2);
        assertThat(extras(body(answer))).containsEntry("outcome", "not-persisted");
    }

    @Test
    void answerNobodyWhenTheCallerHasGone() {
        assertThat(errors.gone(new EOFException())).isNull();
    }

    @Test
    void bringWhatTheWebSideFoundOut() {
        ProblemDetail detail = body(errors.problem(
                ProblemException.of(Problem.STATE_TOO_LARGE, "Too large", Map.of("limit", 100)), request("PUT")));
        assertThat(detail.getStatus()).isEqualTo(413);
        assertThat(detail.getTitle()).isEqualTo("The state is too large");
        assertThat(extras(detail)).containsEntry("limit", 100).containsEntry("outcome", "not-persisted");
    }
}
