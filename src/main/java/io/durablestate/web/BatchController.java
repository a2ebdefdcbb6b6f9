package io.durablestate.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.durablestate.DurableStateProperties;
import io.durablestate.failure.Problem;
import io.durablestate.state.BatchResult;
import io.durablestate.state.BatchService;
import io.durablestate.state.BatchWrite;
import io.durablestate.state.PutResult;
import io.durablestate.state.StateDocument;
import io.durablestate.state.StateKey;
import io.durablestate.state.Terms;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Several writes in one request. */
@RestController
@Tag(name = "States")
class BatchController {

    private static final String BATCH = "/api/v1/batch";

    private final BatchService service;
    private final StateRequestBody bodies;
    private final ApiErrors errors;
    private final int maxStateSize;
    private final int maxBatchSize;

    BatchController(
            DurableStateProperties properties, BatchService service, StateRequestBody bodies, ApiErrors errors) {
        this.service = service;
        this.bodies = bodies;
        this.errors = errors;
        this.maxStateSize = (int) properties.maxStateSize().toBytes();
        this.maxBatchSize = (int) properties.limits().batchSize().toBytes();
    }

    @Schema(name = "BatchAnswer", description = "What became of each write, in order")
    record Answer(List<Result> results) {}

    @Schema(name = "BatchItemResult", description = "What a request of its own would have been answered")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Result(
            int status,
            @Nullable Receipt receipt,

            @Nullable @Schema(description = "true: an earlier request of this write had stored it")
            Boolean alreadyApplied,

            @Nullable @Schema(description = "Why it failed", type = "object")
            ProblemDetail problem) {

        private boolean isSuccess() {
            return problem == null;
        }
    }

    @PostMapping(BATCH)
    @Operation(
            operationId = "writeBatch",
            summary = "Make several writes",
            description =
                    "1 to 1000 writes, each acknowledged on its own. Not atomic: some can fail while others succeed, so look at "
                            + "every result. Two writes of one state take effect in their order.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                                            schema = @Schema(type = "object"),
                                            examples =
                                                    @ExampleObject(
                                                            "{\"writes\":[{\"key\":\"order-42\",\"sequence\":7,\"action\":\"charge-card\","
                                                                    + "\"completed\":true,\"state\":{\"step\":\"charged\"}},"
                                                                    + "{\"key\":\"order-42\",\"sequence\":6,\"action\":\"reserve\",\"delete\":true}]}"))))
    @ApiResponse(
            responseCode = "200",
            description = "Every write succeeded",
            content = @Content(schema = @Schema(implementation = Answer.class)))
    @ApiResponse(
            responseCode = "207",
            description = "Some writes failed; each has its own status and problem",
            content = @Content(schema = @Schema(implementation = Answer.class)))
    ResponseEntity<Answer> write(HttpServletRequest request) throws IOException {
        RequestHeaders.refuseConditionsOfOneState(request);
        Query.of(request);
        byte[] body = bodies.json(request, maxBatchSize);
        if (body.length == 0) {
            throw ProblemException.invalidParameter("body", "is empty", "{\"writes\":[…]}");
        }
        List<Result> results = results(BatchRequest.parse(body), request);
        boolean allSucceeded = results.stream().allMatch(Result::isSuccess);
        return ResponseEntity.status(allSucceeded ? HttpStatus.OK : HttpStatus.MULTI_STATUS)
                .contentType(MediaType.APPLICATION_JSON)
                .body(new Answer(results));
    }

    private List<Result> results(List<BatchRequest.Write> asked, HttpServletRequest request) {
        List<@Nullable Result> refused = new ArrayList<>();
        List<BatchWrite> writes = new ArrayList<>();
        for (BatchRequest.Write write : asked) {
            try {
                writes.add(toWrite(write));
                refused.add(null);
            } catch (RuntimeException e) {
                refused.add(failed(e, request));
            }
        }
        var written = (writes.isEmpty() ? List.<BatchResult>of() : service.write(writes)).iterator();
        return refused.stream()
                .map(result -> result != null ? result : toResult(written.next(), request))
                .toList();
    }

    private BatchWrite toWrite(BatchRequest.Write write) {
        StateKey key = StateKey.of(write.key(), write.sequence(), write.action(), write.event());
        Terms terms =
                Preconditions.terms(write.ifMatch(), write.ifNoneMatch(), write.attempt(), write.idempotencyKey());
        byte[] state = write.state();
        if (state != null && state.length > maxStateSize) {
            throw ProblemException.of(
                    Problem.STATE_TOO_LARGE,
                    "The state is larger than %d bytes (durable-state.max-state-size)".formatted(maxStateSize),
                    Map.of("limit", maxStateSize));
        }
        StateDocument document = state == null
                ? null
                : new StateDocument(
                        MediaType.APPLICATION_JSON_VALUE,
                        state,
                        write.completed(),
                        write.expectWithin() == null ? null : Query.expectation(write.expectWithin()));
        return new BatchWrite(key, document, terms);
    }

    private Result toResult(BatchResult result, HttpServletRequest request) {
        if (result instanceof BatchResult.Stored stored) {
            PutResult put = stored.result();
            return new Result(
                    put.created() ? HttpStatus.CREATED.value() : HttpStatus.OK.value(),
                    Receipt.of(put.receipt()),
                    put.alreadyApplied() ? true : null,
                    null);
        }
        if (result instanceof BatchResult.Failed failed) {
            return failed(failed.failure(), request);
        }
        if (result instanceof BatchResult.Missing) {
            return failed(ProblemException.of(Problem.STATE_NOT_FOUND, "There is no such state"), request);
        }
        return new Result(HttpStatus.NO_CONTENT.value(), null, null, null);
    }

    private Result failed(Exception failure, HttpServletRequest request) {
        ResponseEntity<ProblemDetail> answer = errors.answer(failure, request);
        return new Result(answer.getStatusCode().value(), null, null, Objects.requireNonNull(answer.getBody()));
    }

    /** Whatever else is asked of the address. */
    @RequestMapping(BATCH)
    @Hidden
    void unsupported(HttpServletRequest request) throws HttpRequestMethodNotSupportedException {
        throw new HttpRequestMethodNotSupportedException(request.getMethod(), List.of("POST", "OPTIONS"));
    }
}
