package io.durablestate.web;

import io.durablestate.fault.Fault;
import io.durablestate.fault.FaultKit;
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
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Arms faults. There only when {@code durable-state.faults.enabled} is set. */
@RestController
@ConditionalOnProperty("durable-state.faults.enabled")
@Tag(name = "Faults", description = "Have the next writes behave badly, to test a client")
class FaultController {

    static final String FAULTS = "/api/v1/faults";

    private final FaultKit kit;
    private final StateRequestBody bodies;

    FaultController(FaultKit kit, StateRequestBody bodies) {
        this.kit = kit;
        this.bodies = bodies;
    }

    @Schema(name = "ArmedFaults", description = "The faults that are armed, and how often each has struck")
    record Armed(List<View> faults) {}

    @Schema(name = "Fault", description = "A fault that is armed")
    record View(
            String fault,
            int count,

            @Schema(description = "How many writes it has struck")
            int fired,

            @Nullable String operation,
            @Nullable String key,
            @Nullable String prefix,
            @Nullable String problem,
            @Nullable Long delayMillis) {

        private static View of(FaultKit.Armed armed) {
            Fault fault = armed.fault();
            return new View(
                    fault.kind().word(),
                    fault.count(),
                    armed.fired(),
                    fault.operation() == null ? null : fault.operation().word(),
                    fault.key(),
                    fault.prefix(),
                    FaultRequest.problemOf(fault),
                    FaultRequest.delayOf(fault));
        }
    }

    @PutMapping(FAULTS)
    @Operation(
            operationId = "armFaults",
            summary = "Arm faults",
            description = "One fault or a list of them, instead of those before. The first that matches strikes.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                                            schema = @Schema(type = "object"),
                                            examples =
                                                    @ExampleObject(
                                                            "{\"fault\":\"lose-answer\",\"count\":2,\"operation\":\"put\",\"prefix\":\"order-\"}"))))
    @ApiResponse(
            responseCode = "200",
            description = "They are armed",
            content = @Content(schema = @Schema(implementation = Armed.class)))
    ResponseEntity<Armed> arm(HttpServletRequest request) throws IOException {
        Query.of(request);
        kit.arm(FaultRequest.read(request, bodies));
        return armed();
    }

    @GetMapping(FAULTS)
    @Operation(operationId = "listFaults", summary = "The faults that are armed")
    ResponseEntity<Armed> list(HttpServletRequest request) {
        Query.of(request);
        return armed();
    }

    private ResponseEntity<Armed> armed() {
        return JsonAnswers.ok(new Armed(kit.armed().stream().map(View::of).toList()));
    }

    @DeleteMapping(FAULTS)
    @Operation(operationId = "disarmFaults", summary = "Disarm all faults")
    @ApiResponse(responseCode = "204", description = "None is armed", content = @Content)
    ResponseEntity<Void> disarm(HttpServletRequest request) {
        Query.of(request);
        kit.arm(List.of());
        return ResponseEntity.noContent().build();
    }

    /** Whatever else is asked of the address. */
    @RequestMapping(FAULTS)
    @Hidden
    void unsupported(HttpServletRequest request) throws HttpRequestMethodNotSupportedException {
        throw new HttpRequestMethodNotSupportedException(
                request.getMethod(), List.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS"));
    }
}
