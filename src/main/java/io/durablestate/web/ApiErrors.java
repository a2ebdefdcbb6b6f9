package io.durablestate.web;

import io.durablestate.failure.Diagnosis;
import io.durablestate.failure.Outcome;
import io.durablestate.failure.Problem;
import io.durablestate.log.RecordLimit;
import io.durablestate.state.ForeignRevisionException;
import io.durablestate.state.InvalidStateKeyException;
import io.durablestate.state.NotServingException;
import io.durablestate.state.StateWriteException;
import io.durablestate.state.WriteRefusedException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Turns whatever was thrown into a problem with its status, and on writes with what is known of the record. */
@RestControllerAdvice
class ApiErrors {

    private static final Logger log = LoggerFactory.getLogger(ApiErrors.class);

    private static final Set<String> WRITES = Set.of("PUT", "DELETE", "POST", "PATCH");
    private static final String RETRY_AFTER_SECONDS = "1";

    private final Supplier<OptionalLong> kafkasLimit;

    @Autowired
    ApiErrors(RecordLimit recordLimit) {
        this(recordLimit::bytes);
    }

    ApiErrors(Supplier<OptionalLong> kafkasLimit) {
        this.kafkasLimit = kafkasLimit;
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> problem(ProblemException e, HttpServletRequest request) {
        ProblemDetail detail = detail(e.problem(), e.detail(), Outcome.NOT_PERSISTED, request);
        e.extras().forEach(detail::setProperty);
        return answer(e.problem(), detail);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> invalidKey(InvalidStateKeyException e, HttpServletRequest request) {
        ProblemDetail detail = detail(Problem.INVALID_KEY, e.getMessage(), Outcome.NOT_PERSISTED, request);
        detail.setProperty("segment", e.segment());
        detail.setProperty("allowed", e.allowed());
        return answer(Problem.INVALID_KEY, detail);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> writeFailed(StateWriteException e, HttpServletRequest request) {
        Diagnosis diagnosis = Diagnosis.of(e.failedWrite());
        Diagnosis.Cause rootCause = diagnosis.rootCause();
        Problem problem = diagnosis.problem();
        String text = "%s: %s. %s".formatted(e.getMessage(), rootCause.text(), problem.meaning());
        ProblemDetail detail = detail(problem, text, diagnosis.outcome(), request);
        detail.setProperty("writeId", e.failedWrite().writeId());
        detail.setProperty("rootCause", rootCause);
        if (problem == Problem.STATE_TOO_LARGE) {
            kafkasLimit.get().ifPresent(limit -> {
                detail.setProperty("limit", limit);
                detail.setDetail("%s Kafka takes records of at most %d bytes (max.message.bytes of the topic)."
                        .formatted(text, limit));
            });
        }
        return answer(problem, detail);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> writeRefused(WriteRefusedException e, HttpServletRequest request) {
        Problem problem = Diagnosis.of(e.refusal());
        ProblemDetail detail = detail(problem, e.getMessage(), Outcome.NOT_PERSISTED, request);
        detail.setProperty("writeId", e.writeId());
        RefusalView.of(e.refusal()).forEach(detail::setProperty);
        return answer(problem, detail);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> foreignRevision(ForeignRevisionException e, HttpServletRequest request) {
        return problem(
                ProblemException.invalidParameter("atLeast", "names " + e.getMessage(), "a revision of this key"),
                request);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> notServing(NotServingException e, HttpServletRequest request) {
        Problem problem = Diagnosis.of(e.reason());
        return answer(problem, detail(problem, e.getMessage(), Outcome.NOT_PERSISTED, request));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> interrupted(InterruptedException e, HttpServletRequest request) {
        return answer(
                Problem.INTERRUPTED,
                detail(Problem.INTERRUPTED, Problem.INTERRUPTED.meaning(), Outcome.UNKNOWN, request));
    }

    /** What a request of its own would be answered that fails so. */
    ResponseEntity<ProblemDetail> answer(Exception failure, HttpServletRequest request) {
        if (failure instanceof ProblemException e) {
            return problem(e, request);
        }
        if (failure instanceof InvalidStateKeyException e) {
            return invalidKey(e, request);
        }
        if (failure instanceof StateWriteException e) {
            return writeFailed(e, request);
        }
        if (failure instanceof WriteRefusedException e) {
            return writeRefused(e, request);
        }
        if (failure instanceof NotServingException e) {
            return notServing(e, request);
        }
        return failure instanceof InterruptedException e ? interrupted(e, request) : other(failure, request);
    }

    /** The caller has gone, or has sent something that cannot be read to its end: there is nobody to answer. */
    @ExceptionHandler
    @Nullable
    ResponseEntity<ProblemDetail> gone(IOException e) {
        log.debug("The caller went away", e);
        return null;
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> other(Exception e, HttpServletRequest request) {
        if (e instanceof ErrorResponse response && response.getStatusCode().is4xxClientError()) {
            return ofSpring(response, request);
        }
        log.error("A request failed for a reason that is not known", e);
        return answer(Problem.INTERNAL, detail(Problem.INTERNAL, Problem.INTERNAL.meaning(), Outcome.UNKNOWN, request));
    }

    private static ResponseEntity<ProblemDetail> ofSpring(ErrorResponse response, HttpServletRequest request) {
        HttpStatusCode status = response.getStatusCode();
        ProblemDetail detail = response.getBody();
        if (status.value() == HttpStatus.NOT_FOUND.value()) {
            detail.setDetail("There is nothing at this address; the API is described at %s/swagger-ui.html"
                    .formatted(request.getContextPath()));
        }
        ProblemInstance.set(detail, request.getRequestURI());
        addOutcome(detail, Outcome.NOT_PERSISTED, request);
        return ResponseEntity.status(status)
                .headers(response.getHeaders())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(detail);
    }

    private static ProblemDetail detail(
            Problem problem, @Nullable String text, Outcome outcome, HttpServletRequest request) {
        ProblemDetail detail = ProblemDetail.forStatus(problem.status());
        detail.setType(URI.create(request.getContextPath() + problem.page()));
        detail.setTitle(problem.title());
        detail.setDetail(text == null ? problem.meaning() : text);
        ProblemInstance.set(detail, request.getRequestURI());
        addOutcome(detail, outcome, request);
        return detail;
    }

    private static void addOutcome(ProblemDetail detail, Outcome outcome, HttpServletRequest request) {
        if (isWrite(request.getMethod())) {
            detail.setProperty("outcome", outcome.word());
        }
    }

    /** Whether a request by this method may write, so that its error says what is known of the record. */
    static boolean isWrite(String method) {
        return WRITES.contains(method);
    }

    private static ResponseEntity<ProblemDetail> answer(Problem problem, ProblemDetail detail) {
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(problem.status()).contentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (problem.isPassing()) {
            answer.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return answer.body(detail);
    }
}
