package io.durablestate.web;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.durablestate.attempt.AttemptService;
import io.durablestate.failure.Problem;
import io.durablestate.state.Attempt;
import io.durablestate.state.DurableStateService;
import io.durablestate.state.StateCounts;
import io.durablestate.state.StateFilter;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Who works on a key: claim it, look, close. */
@RestController
@Tag(
        name = "Attempts",
        description = "Claim a key, so that no older attempt can write, and get what is needed to resume")
class AttemptController {

    private static final String OF_KEY = AttemptPath.ATTEMPTS + "/{key}";
    private static final String ONE = OF_KEY + "/{attempt}";

    private final AttemptService attempts;
    private final DurableStateService states;
    private final StatePages pages;
    private final StateRequestBody bodies;

    AttemptController(AttemptService attempts, DurableStateService states, StatePages pages, StateRequestBody bodies) {
        this.attempts = attempts;
        this.states = states;
        this.pages = pages;
        this.bodies = bodies;
    }

    @Schema(name = "PreviousAttempt", description = "The attempt before")
    record Previous(
            long attempt,
            int ordinal,
            @Nullable @Schema(nullable = true) String worker,
            Instant startedAt,
            @Nullable @Schema(nullable = true) Instant closedAt) {

        private static @Nullable Previous of(@Nullable Attempt attempt) {
            return attempt == null
                    ? null
                    : new Previous(
                            attempt.number(),
                            attempt.ordinal(),
                            attempt.worker(),
                            attempt.startedAt(),
                            attempt.closedAt());
        }
    }

    @Schema(name = "Claim", description = "A new attempt, and everything needed to resume")
    record Claim(
            String key,

            @Schema(description = "Its number: send it as the header Attempt", example = "18234")
            long attempt,

            @Schema(description = "How many claims the key had with it", example = "3")
            int ordinal,

            @Nullable @Schema(nullable = true) String worker,
            Instant startedAt,
            @Nullable @Schema(nullable = true) Previous previous,

            @Schema(description = "The states of the key with their bodies, read after the claim took effect")
            List<StatePages.Item> states,

            @Nullable
            @Schema(
                    nullable = true,
                    description =
                            "Not null where the states are more than 1000 or 8 MB: the cursor for the rest, from the list of "
                                    + "states with key and body=true")
            String next) {}

    @PostMapping(OF_KEY)
    @Operation(
            operationId = "claimKey",
            summary = "Claim a key",
            description =
                    "Starts an attempt. From here on no write of an older attempt takes effect, whatever instance it goes to, and "
                            + "`states` has everything that they had written.",
            requestBody =
                    @RequestBody(
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                                            schema = @Schema(type = "object"),
                                            examples = @ExampleObject("{\"worker\":\"pod-7\"}"))))
    @ApiParameters.Expecting
    @ApiResponse(
            responseCode = "201",
            description = "The key is claimed",
            headers = @Header(name = "Location", description = "The address of the attempt"),
            content = @Content(schema = @Schema(implementation = Claim.class)))
    ResponseEntity<Claim> claim(@Parameter(hidden = true) AttemptPath path, HttpServletRequest request)
            throws IOException, InterruptedException {
        RequestHeaders.refuseConditionsOfOneState(request);
        Duration expectWithin = Query.of(request, "expectWithin").expectWithin();
        requireKeyOnly(path);
        String worker = ClaimRequest.read(request, bodies).worker();
        AttemptService.Claimed claimed = attempts.claim(path.key(), worker, expectWithin);
        StatePages.Page snapshot = pages.bodies(StateFilter.ofKey(path.key()), null, StatePages.MAX_ITEMS);
        Attempt attempt = claimed.attempt();
        return ResponseEntity.created(URI.create(request.getContextPath() + AttemptPath.of(path.key())))
                .contentType(MediaType.APPLICATION_JSON)
                .body(new Claim(
                        path.key(),
                        attempt.number(),
                        attempt.ordinal(),
                        attempt.worker(),
                        attempt.startedAt(),
                        Previous.of(claimed.previous()),
                        snapshot.items(),
                        snapshot.next()));
    }

    @Schema(name = "Attempt", description = "The newest attempt on a key")
    record View(
            String key,
            @Schema(example = "18234") long attempt,
            @Schema(example = "3") int ordinal,
            @Nullable @Schema(nullable = true) String worker,
            Instant startedAt,

            @Nullable @Schema(nullable = true, description = "When it was closed; null while it holds the key")
            Instant closedAt,

            @Schema(description = "Whether the next write of the key is overdue")
            boolean overdue) {

        private static View of(AttemptService.Holder holder) {
            Attempt attempt = holder.attempt();
            return new View(
                    holder.key(),
                    attempt.number(),
                    attempt.ordinal(),
                    attempt.worker(),
                    attempt.startedAt(),
                    attempt.closedAt(),
                    holder.overdue());
        }
    }

    @Schema(name = "CurrentAttempt", description = "The newest attempt on a key, and how far the key got")
    record Current(@JsonUnwrapped View attempt, StateCounts states) {}

    @GetMapping(OF_KEY)
    @Operation(
            operationId = "getAttempt",
            summary = "Who holds a key",
            description = "The newest attempt on a key, open or closed, with the counts of the key's states.")
    @ApiParameters.NewEnough
    ResponseEntity<Current> current(@Parameter(hidden = true) AttemptPath path, HttpServletRequest request)
            throws InterruptedException {
        RequestHeaders.refuseConditionsOfReads(request);
        Query query = Query.of(request, "consistency", "atLeast");
        requireKeyOnly(path);
        states.await(path.key(), query.consistency());
        AttemptService.Holder holder = attempts.find(path.key())
                .orElseThrow(() -> ProblemException.of(
                        Problem.ATTEMPT_NOT_FOUND, "Nobody has claimed the key %s".formatted(path.key())));
        return JsonAnswers.ok(new Current(
                View.of(holder), states.count(path.key(), holder.attempt().number())));
    }

    @Schema(name = "AttemptPage", description = "Some attempts, in the order of their keys")
    record Page(
            List<View> items,

            @Nullable @Schema(description = "Give it as cursor to get what follows; null at the end", nullable = true)
            String next) {}

    @GetMapping(AttemptPath.ATTEMPTS)
    @Operation(
            operationId = "listAttempts",
            summary = "List attempts",
            description = "The newest attempt of each key, in the order of the keys.")
    @Parameter(
            name = "prefix",
            in = ParameterIn.QUERY,
            description = "Keys that start so",
            schema = @Schema(type = "string"))
    @Parameter(
            name = "open",
            in = ParameterIn.QUERY,
            description = "Whether the attempt holds the key, as against closed",
            schema = @Schema(type = "boolean"))
    @Parameter(
            name = "overdue",
            in = ParameterIn.QUERY,
            description = "Whether the next write of the key is overdue",
            schema = @Schema(type = "boolean"))
    @ApiParameters.Paged
    ResponseEntity<Page> list(HttpServletRequest request) {
        RequestHeaders.refuseConditionsOfReads(request);
        Query query = Query.of(request, "prefix", "open", "overdue", "limit", "cursor");
        String cursor = query.text("cursor");
        String prefix = query.text("prefix");
        int limit = query.limit();
        List<View> found = attempts
                .list(
                        prefix == null ? "" : prefix,
                        query.flag("open"),
                        query.flag("overdue"),
                        cursor == null ? null : Cursors.key(cursor),
                        limit + 1)
                .stream()
                .map(View::of)
                .toList();
        boolean more = found.size() > limit;
        List<View> items = more ? found.subList(0, limit) : found;
        return JsonAnswers.ok(
                new Page(items, more ? Cursors.of(items.get(limit - 1).key()) : null));
    }

    @DeleteMapping(ONE)
    @Operation(
            operationId = "closeAttempt",
            summary = "Close an attempt",
            description =
                    "Later writes with this attempt, or with an older one, are refused. To close it again does nothing.")
    @ApiResponse(responseCode = "204", description = "Closed, acknowledged by Kafka", content = @Content)
    ResponseEntity<Void> close(@Parameter(hidden = true) AttemptPath path, HttpServletRequest request)
            throws InterruptedException {
        RequestHeaders.refuseConditionsOfOneState(request);
        Query.of(request);
        if (!attempts.close(path.key(), path.attempt())) {
            throw ProblemException.of(
                    Problem.ATTEMPT_NOT_FOUND,
                    "There is no attempt %d on the key %s".formatted(path.attempt(), path.key()));
        }
        return ResponseEntity.noContent().build();
    }

    private static void requireKeyOnly(AttemptPath path) {
        if (!path.rest().isEmpty()) {
            throw ProblemException.invalidParameter("path", "has more than a key", AttemptPath.ATTEMPTS + "/{key}");
        }
    }

    /** Whatever else is asked of the attempts as a whole. */
    @RequestMapping(AttemptPath.ATTEMPTS)
    @Hidden
    void unsupported(HttpServletRequest request) throws HttpRequestMethodNotSupportedException {
        throw new HttpRequestMethodNotSupportedException(request.getMethod(), List.of("GET", "HEAD", "OPTIONS"));
    }

    /** Whatever else is asked of an address below the attempts. */
    @RequestMapping(AttemptPath.ATTEMPTS + "/**")
    @Hidden
    void unsupported(@Parameter(hidden = true) AttemptPath path, HttpServletRequest request)
            throws HttpRequestMethodNotSupportedException {
        throw new HttpRequestMethodNotSupportedException(
                request.getMethod(),
                path.rest().isEmpty() ? List.of("GET", "HEAD", "POST", "OPTIONS") : List.of("DELETE", "OPTIONS"));
    }
}
