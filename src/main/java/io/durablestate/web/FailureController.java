package io.durablestate.web;

import io.durablestate.failure.Failure;
import io.durablestate.failure.FailureJournal;
import io.durablestate.failure.Outcome;
import io.durablestate.failure.Problem;
import io.durablestate.state.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The failed writes of this instance. */
@RestController
@Tag(name = "Failures", description = "Writes that failed on this instance: why, and what became of them")
class FailureController {

    private static final String FAILURES = "/api/v1/failures";

    private final FailureJournal journal;

    FailureController(FailureJournal journal) {
        this.journal = journal;
    }

    @Schema(name = "FailurePage")
    record Page(
            List<FailureView> items,

            @Nullable @Schema(description = "Give it as cursor to get what follows; null at the end", nullable = true)
            String next) {}

    @GetMapping(FAILURES)
    @io.swagger.v3.oas.annotations.Operation(
            operationId = "listFailures",
            summary = "List failed writes, newest first",
            description = "The list is bounded by durable-state.failures.capacity and lives as long as the process.")
    @Parameter(name = "key", in = ParameterIn.QUERY, schema = @Schema(type = "string"))
    @Parameter(
            name = "outcome",
            in = ParameterIn.QUERY,
            schema =
                    @Schema(
                            type = "string",
                            allowableValues = {"not-persisted", "unknown", "persisted"}))
    @Parameter(
            name = "cause",
            in = ParameterIn.QUERY,
            description = "Class name of the root cause, with or without package",
            schema = @Schema(type = "string"))
    @Parameter(
            name = "operation",
            in = ParameterIn.QUERY,
            schema =
                    @Schema(
                            type = "string",
                            allowableValues = {"put", "delete", "prune", "batch", "claim", "restore"}))
    @ApiParameters.Paged
    ResponseEntity<Page> list(HttpServletRequest request) {
        Query query = Query.of(request, "key", "outcome", "cause", "operation", "limit", "cursor");
        String key = query.segment("key");
        Outcome outcome = query.word("outcome", Outcome.class, Outcome::word);
        String cause = query.text("cause");
        Operation operation = query.word("operation", Operation.class, Operation::word);
        Long before = query.number("cursor");
        int limit = query.limit();
        List<Failure> found = journal.newestFirst().stream()
                .filter(failure -> before == null || failure.number() < before)
                .filter(failure -> key == null || failure.write().key().equals(key))
                .filter(failure -> outcome == null || failure.outcome() == outcome)
                .filter(failure -> cause == null || isCausedBy(failure, cause))
                .filter(failure -> operation == null || failure.write().operation() == operation)
                .limit(limit + 1L)
                .toList();
        boolean more = found.size() > limit;
        List<Failure> page = more ? found.subList(0, limit) : found;
        String next = more ? Long.toString(page.get(limit - 1).number()) : null;
        return JsonAnswers.ok(new Page(page.stream().map(FailureView::of).toList(), next));
    }

    private static boolean isCausedBy(Failure failure, String cause) {
        String type = failure.diagnosis().rootCause().type();
        return type.equals(cause) || type.substring(type.lastIndexOf('.') + 1).equals(cause);
    }

    @GetMapping(FAILURES + "/{id}")
    @io.swagger.v3.oas.annotations.Operation(operationId = "getFailure", summary = "One failed write")
    ResponseEntity<FailureView> get(@PathVariable String id, HttpServletRequest request) {
        Query.of(request);
        return JsonAnswers.ok(journal.find(id)
                .map(FailureView::of)
                .orElseThrow(() -> ProblemException.of(
                        Problem.FAILURE_NOT_FOUND, "This instance does not remember the failure %s".formatted(id))));
    }

    @Schema(name = "FailureCause", description = "A root cause and how often it was met")
    record CauseCount(
            @Schema(example = "org.apache.kafka.common.errors.TimeoutException")
            String cause,

            long count,
            Instant first,
            Instant last) {

        private CauseCount with(Instant time) {
            return new CauseCount(
                    cause, count + 1, time.isBefore(first) ? time : first, time.isAfter(last) ? time : last);
        }
    }

    @GetMapping(FAILURES + "/causes")
    @io.swagger.v3.oas.annotations.Operation(
            operationId = "listFailureCauses",
            summary = "Root causes of the failed writes, the most frequent first")
    ResponseEntity<List<CauseCount>> causes(HttpServletRequest request) {
        Query.of(request);
        Map<String, CauseCount> counts = new LinkedHashMap<>();
        for (Failure failure : journal.newestFirst()) {
            String cause = failure.diagnosis().rootCause().type();
            CauseCount before = counts.getOrDefault(cause, new CauseCount(cause, 0, failure.time(), failure.time()));
            counts.put(cause, before.with(failure.time()));
        }
        return JsonAnswers.ok(counts.values().stream()
                .sorted(Comparator.comparingLong(CauseCount::count).reversed())
                .toList());
    }
}
