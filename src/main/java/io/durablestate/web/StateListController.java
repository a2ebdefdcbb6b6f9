package io.durablestate.web;

import io.durablestate.state.DurableStateService;
import io.durablestate.state.PruneResult;
import io.durablestate.state.StateFilter;
import io.durablestate.state.StateKey;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Many states at once: list, prune. */
@RestController
@Tag(name = "States")
class StateListController {

    private final DurableStateService service;
    private final StatePages pages;

    StateListController(DurableStateService service, StatePages pages) {
        this.service = service;
        this.pages = pages;
    }

    @GetMapping(StatePath.STATES)
    @Operation(
            operationId = "listStates",
            summary = "List states",
            description =
                    "In the order of key, sequence, action, event. A cursor stays valid while states come and go. "
                            + "With body=true a page ends early when its bodies reach 8 MB.")
    @Parameter(name = "sequenceFrom", in = ParameterIn.QUERY, schema = @Schema(type = "integer", format = "int64"))
    @Parameter(
            name = "sequenceTo",
            in = ParameterIn.QUERY,
            description = "Inclusive",
            schema = @Schema(type = "integer", format = "int64"))
    @Parameter(name = "action", in = ParameterIn.QUERY, schema = @Schema(type = "string"))
    @Parameter(name = "completed", in = ParameterIn.QUERY, schema = @Schema(type = "boolean"))
    @Parameter(
            name = "attempt",
            in = ParameterIn.QUERY,
            description = "Written by this attempt",
            schema = @Schema(type = "integer", format = "int64"))
    @Parameter(
            name = "cached",
            in = ParameterIn.QUERY,
            description = "Whether the body is in memory",
            schema = @Schema(type = "boolean"))
    @Parameter(
            name = "overdue",
            in = ParameterIn.QUERY,
            description = "Whether the next write of the key is overdue",
            schema = @Schema(type = "boolean"))
    @Parameter(
            name = "consistency",
            in = ParameterIn.QUERY,
            description = "strong: sees every write that any instance had acknowledged before",
            schema = @Schema(type = "string", allowableValues = "strong"))
    @Parameter(
            name = "body",
            in = ParameterIn.QUERY,
            description = "Whether to bring the bodies",
            schema = @Schema(type = "boolean"))
    @ApiParameters.OfKeys
    @ApiParameters.Paged
    ResponseEntity<StatePages.Page> list(HttpServletRequest request) throws InterruptedException {
        RequestHeaders.refuseConditionsOfReads(request);
        Query query = Query.of(
                request,
                "key",
                "prefix",
                "sequenceFrom",
                "sequenceTo",
                "action",
                "completed",
                "attempt",
                "cached",
                "overdue",
                "consistency",
                "body",
                "limit",
                "cursor");
        StateFilter filter = new StateFilter(
                query.segment("key"),
                query.text("prefix"),
                query.number("sequenceFrom"),
                query.number("sequenceTo"),
                query.segment("action"),
                query.flag("completed"),
                query.number("attempt"),
                query.flag("cached"),
                query.flag("overdue"));
        if (query.isStrong()) {
            service.awaitAll();
        }
        String cursor = query.text("cursor");
        StateKey after = cursor == null ? null : Cursors.state(cursor);
        boolean withBodies = query.isSet("body");
        return JsonAnswers.ok(
                withBodies ? pages.bodies(filter, after, query.limit()) : pages.receipts(filter, after, query.limit()));
    }

    @Schema(name = "PruneAnswer", description = "What became of a prune")
    record Pruned(
            String key,
            long throughSequence,

            @Schema(description = "States deleted, or in a dry run those that would be")
            int pruned,

            @Schema(description = "States that could not be deleted; each is among the failures")
            int failed) {}

    @DeleteMapping(StatePath.STATES)
    @Operation(
            operationId = "pruneStates",
            summary = "Delete the states of a key up to a sequence",
            description = "What fails is counted and among the failures; running it again is safe.")
    @Parameter(
            name = "key",
            in = ParameterIn.QUERY,
            required = true,
            schema = @Schema(type = "string"),
            example = "order-42")
    @Parameter(
            name = "throughSequence",
            in = ParameterIn.QUERY,
            required = true,
            description = "The last sequence that is deleted",
            schema = @Schema(type = "integer", format = "int64"),
            example = "6")
    @Parameter(
            name = "completedOnly",
            in = ParameterIn.QUERY,
            description = "Leave states whose action is not done",
            schema = @Schema(type = "boolean"))
    @Parameter(name = "dryRun", in = ParameterIn.QUERY, description = "Only count", schema = @Schema(type = "boolean"))
    ResponseEntity<Pruned> prune(HttpServletRequest request) throws InterruptedException {
        RequestHeaders.refuseConditionsOfOneState(request);
        Query query = Query.of(request, "key", "throughSequence", "completedOnly", "dryRun");
        String key = query.requiredSegment("key");
        long throughSequence = query.requiredNumber("throughSequence");
        PruneResult result = service.prune(key, throughSequence, query.isSet("completedOnly"), query.isSet("dryRun"));
        return JsonAnswers.ok(new Pruned(key, throughSequence, result.pruned(), result.failed()));
    }

    /** Whatever else is asked of the states as a whole. */
    @RequestMapping(StatePath.STATES)
    @Hidden
    void unsupported(HttpServletRequest request) throws HttpRequestMethodNotSupportedException {
        throw new HttpRequestMethodNotSupportedException(
                request.getMethod(), List.of("GET", "HEAD", "DELETE", "OPTIONS"));
    }
}
