package io.durablestate.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.durablestate.state.DurableStateService;
import io.durablestate.state.PruneResult;
import io.durablestate.state.StateFilter;
import io.durablestate.state.StateKey;
import io.durablestate.state.StatePage;
import io.durablestate.state.StoredState;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

    /** Bodies on one page; a page with more ends early, and goes on behind its cursor. */
    private static final long MAX_PAGE_BYTES = 8L * 1024 * 1024;

    private final DurableStateService service;
    private final JsonSyntax json = new JsonSyntax();

    StateListController(DurableStateService service) {
        this.service = service;
    }

    @Schema(name = "StatePage", description = "Some states, in the order of key, sequence, action, event")
    record Page(
            List<Item> items,

            @Nullable @Schema(description = "Give it as cursor to get what follows; null at the end", nullable = true)
            String next) {}

    @Schema(name = "StateItem", description = "A receipt, whether the body is in memory, and the body when asked for")
    record Item(
            @JsonUnwrapped Receipt receipt,

            @Schema(description = "Whether this instance has the body in memory")
            boolean cached,

            @Nullable
            @JsonRawValue
            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "The JSON as it was stored, with body=true", type = "object")
            String state,

            @Nullable
            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "The bytes of a state that is not JSON, with body=true")
            String stateBase64) {}

    @GetMapping(StatePath.STATES)
    @Operation(
            operationId = "listStates",
            summary = "List states",
            description =
                    "In the order of key, sequence, action, event. A cursor stays valid while states come and go. "
                            + "With body=true a page ends early when its bodies reach 8 MB.")
    @Parameter(
            name = "key",
            in = ParameterIn.QUERY,
            description = "Exactly this key",
            schema = @Schema(type = "string"))
    @Parameter(
            name = "prefix",
            in = ParameterIn.QUERY,
            description = "Keys that start so",
            schema = @Schema(type = "string"))
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
            name = "body",
            in = ParameterIn.QUERY,
            description = "Whether to bring the bodies",
            schema = @Schema(type = "boolean"))
    @Parameter(
            name = "limit",
            in = ParameterIn.QUERY,
            schema = @Schema(type = "integer", minimum = "1", maximum = "1000", defaultValue = "50"))
    @Parameter(
            name = "cursor",
            in = ParameterIn.QUERY,
            description = "From the page before",
            schema = @Schema(type = "string"))
    ResponseEntity<Page> list(HttpServletRequest request) throws InterruptedException {
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
                query.flag("cached"));
        String cursor = query.text("cursor");
        StatePage page = service.list(filter, cursor == null ? null : decode(cursor), query.limit());
        return JsonAnswers.ok(query.isSet("body") ? withBodies(page) : withoutBodies(page));
    }

    private static Page withoutBodies(StatePage page) {
        return new Page(
                page.items().stream()
                        .map(item -> new Item(Receipt.of(item.receipt()), item.cached(), null, null))
                        .toList(),
                page.next() == null ? null : encode(page.next()));
    }

    private Page withBodies(StatePage page) throws InterruptedException {
        List<Item> items = new ArrayList<>();
        long bytes = 0;
        for (StatePage.Item item : page.items()) {
            StateKey key = item.receipt().key();
            Optional<StoredState> state = service.read(key);
            if (state.isPresent()) {
                items.add(withBody(item, state.get()));
                bytes += state.get().body().length;
            }
            if (bytes >= MAX_PAGE_BYTES) {
                return new Page(items, encode(key));
            }
        }
        return new Page(items, page.next() == null ? null : encode(page.next()));
    }

    private Item withBody(StatePage.Item item, StoredState state) {
        Optional<String> text =
                RequestHeaders.isJson(state.receipt().contentType()) ? json.textOf(state.body()) : Optional.empty();
        String base64 = text.isPresent() ? null : Base64.getEncoder().encodeToString(state.body());
        return new Item(Receipt.of(state.receipt()), item.cached(), text.orElse(null), base64);
    }

    private static String encode(StateKey last) {
        String text = String.join(
                "\n",
                last.event() == null
                        ? List.of(last.key(), Long.toString(last.sequence()), last.action())
                        : List.of(last.key(), Long.toString(last.sequence()), last.action(), last.event()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static StateKey decode(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            String[] parts = text.split("\n", -1);
            return StateKey.of(parts[0], Long.parseLong(parts[1]), parts[2], parts.length > 3 ? parts[3] : null);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw ProblemException.invalidParameter(
                    "cursor", "is not one of this service", "the next of the page before");
        }
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
        RequestHeaders.refuseConditionsOfWrites(request);
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
