package io.durablestate.web;

import io.durablestate.failure.Problem;
import io.durablestate.state.DurableStateService;
import io.durablestate.state.PutResult;
import io.durablestate.state.StateDocument;
import io.durablestate.state.StateKey;
import io.durablestate.state.StateReceipt;
import io.durablestate.state.StoredState;
import io.durablestate.state.Terms;
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
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** One state by its name: store, read, delete. */
@RestController
@Tag(name = "States", description = "Store the state of an action, read it back, delete it")
class StateController {

    private static final String STATE = StatePath.STATES + "/{key}/{sequence}/{action}";
    private static final String STATE_OF_EVENT = STATE + "/{event}";
    private static final List<String> METHODS = List.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS");

    private final DurableStateService service;
    private final StateRequestBody requestBody;

    StateController(DurableStateService service, StateRequestBody requestBody) {
        this.service = service;
        this.requestBody = requestBody;
    }

    @PutMapping({STATE, STATE_OF_EVENT})
    @Operation(
            operationId = "putState",
            summary = "Store a state",
            description =
                    "Stores the body, byte for byte. A 2xx answer means that this very record was acknowledged by Kafka. "
                            + "Repeating the same PUT is safe.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                                            schema = @Schema(type = "object"),
                                            examples = @ExampleObject("{\"step\":\"charged\",\"amount\":12.50}"))))
    @Parameter(
            name = "completed",
            in = ParameterIn.QUERY,
            description = "Marks the action as done",
            schema = @Schema(type = "boolean", defaultValue = "false"))
    @Parameter(
            name = "If-None-Match",
            in = ParameterIn.HEADER,
            description = "*: only if there is no state: else 412",
            schema = @Schema(type = "string", allowableValues = "*"))
    @Parameter(
            name = "Prefer",
            in = ParameterIn.HEADER,
            description = "return=minimal: an answer without body",
            schema = @Schema(type = "string"),
            example = "return=minimal")
    @ApiParameters.Expecting
    @ApiParameters.Conditional
    @ApiResponse(
            responseCode = "201",
            description = "Stored; there was no state under this name",
            headers = {
                @Header(name = "ETag", description = "Its revision, in quotes"),
                @Header(name = "Location", description = "Its address")
            },
            content = @Content(schema = @Schema(implementation = Receipt.class)))
    @ApiResponse(
            responseCode = "200",
            description = "Stored; it replaced the state under this name, or was there already",
            headers = {
                @Header(name = "ETag", description = "Its revision, in quotes"),
                @Header(name = "Already-Applied", description = "true: an earlier request of this write had stored it")
            },
            content = @Content(schema = @Schema(implementation = Receipt.class)))
    @ApiResponse(responseCode = "204", description = "Stored; Prefer: return=minimal was asked for", content = @Content)
    ResponseEntity<?> put(@Parameter(hidden = true) StateKey key, HttpServletRequest request)
            throws IOException, InterruptedException {
        Terms terms = Preconditions.ofPut(request);
        Query query = Query.of(request, "completed", "expectWithin");
        StateDocument document = requestBody.read(request, query.isSet("completed"), query.expectWithin());
        PutResult result = service.put(key, document, terms);
        boolean minimal = RequestHeaders.prefersMinimal(request);
        HttpStatus status = result.created() ? HttpStatus.CREATED : HttpStatus.OK;
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(minimal ? HttpStatus.NO_CONTENT : status)
                .eTag(StateResponses.etag(result.receipt()));
        if (result.created()) {
            answer.location(URI.create(request.getContextPath() + StatePath.of(key)));
        }
        if (result.alreadyApplied()) {
            answer.header("Already-Applied", "true");
        }
        if (minimal) {
            return answer.header("Preference-Applied", "return=minimal").build();
        }
        return answer.contentType(MediaType.APPLICATION_JSON).body(Receipt.of(result.receipt()));
    }

    @GetMapping({STATE, STATE_OF_EVENT})
    @Operation(
            operationId = "getState",
            summary = "Read a state",
            description = "The stored bytes under the stored content type, from memory or read back from the log.")
    @Parameter(
            name = "If-None-Match",
            in = ParameterIn.HEADER,
            description = "A revision that the caller has, in quotes: 304 if it is still the current one",
            schema = @Schema(type = "string"),
            example = "\"3-1042\"")
    @ApiParameters.NewEnough
    @ApiResponse(
            responseCode = "200",
            description = "The state",
            headers = {
                @Header(name = "Last-Modified", description = "When it was stored"),
                @Header(name = "ETag", description = "Its revision, in quotes"),
                @Header(name = "State-Completed", description = "Whether the action is done"),
                @Header(name = "State-Attempt", description = "The attempt that wrote it, if any"),
                @Header(name = "State-Write-Id", description = "The write that stored it")
            },
            content =
                    @Content(
                            mediaType = "*/*",
                            schema = @Schema(type = "string", format = "binary"),
                            examples = @ExampleObject("{\"step\":\"charged\",\"amount\":12.50}")))
    @ApiResponse(responseCode = "304", description = "The caller has this revision", content = @Content)
    void get(@Parameter(hidden = true) StateKey key, HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        awaitReadable(key, request);
        StoredState state = service.read(key).orElseThrow(() -> notFound(key));
        StateResponses.write(request, response, state.receipt(), state.body());
    }

    @RequestMapping(
            path = {STATE, STATE_OF_EVENT},
            method = RequestMethod.HEAD)
    @Operation(operationId = "headState", summary = "Ask for a state without its bytes")
    @ApiParameters.NewEnough
    @ApiResponse(responseCode = "200", description = "There is such a state", content = @Content)
    void head(@Parameter(hidden = true) StateKey key, HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        awaitReadable(key, request);
        StateReceipt receipt = service.find(key).orElseThrow(() -> notFound(key));
        StateResponses.write(request, response, receipt, null);
    }

    @DeleteMapping({STATE, STATE_OF_EVENT})
    @Operation(operationId = "deleteState", summary = "Delete a state")
    @ApiParameters.Conditional
    @ApiResponse(responseCode = "204", description = "Deleted, acknowledged by Kafka", content = @Content)
    ResponseEntity<Void> delete(@Parameter(hidden = true) StateKey key, HttpServletRequest request)
            throws InterruptedException {
        Terms terms = Preconditions.ofDelete(request);
        Query.of(request);
        if (!service.delete(key, terms)) {
            throw notFound(key);
        }
        return ResponseEntity.noContent().build();
    }

    private void awaitReadable(StateKey key, HttpServletRequest request) throws InterruptedException {
        RequestHeaders.refuseConditionsOfReads(request);
        service.await(key.key(), Query.of(request, "consistency", "atLeast").consistency());
    }

    /** Whatever else is asked of an address below the states: the path, or the method, is not one of the contract. */
    @RequestMapping(StatePath.STATES + "/**")
    @Hidden
    void malformed(@Parameter(hidden = true) StateKey key, HttpServletRequest request)
            throws HttpRequestMethodNotSupportedException {
        throw new HttpRequestMethodNotSupportedException(request.getMethod(), METHODS);
    }

    private static ProblemException notFound(StateKey key) {
        return ProblemException.of(Problem.STATE_NOT_FOUND, "There is no state %s".formatted(key));
    }
}
