package io.durablestate.web;

import io.durablestate.DurableStateProperties;
import io.durablestate.event.EventLog;
import io.durablestate.event.PositionGoneException;
import io.durablestate.event.StateEvent;
import io.durablestate.event.Subscription;
import io.durablestate.failure.Problem;
import io.durablestate.state.DurableStateService;
import io.durablestate.state.NotServingException;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The stream of events: one connection, and one thread, for each who listens. */
@RestController
@Tag(name = "Events", description = "Hear of what happens, without a gap or a repeat")
class EventController {

    private static final Logger log = LoggerFactory.getLogger(EventController.class);

    private static final String EVENTS = "/api/v1/events";
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final EventLog events;
    private final DurableStateService states;
    private final EventThreads threads;
    private final JsonMapper json;
    private final Duration heartbeat;

    EventController(
            DurableStateProperties properties,
            EventLog events,
            DurableStateService states,
            EventThreads threads,
            JsonMapper json) {
        this.events = events;
        this.states = states;
        this.threads = threads;
        this.json = json;
        this.heartbeat = properties.events().heartbeat();
    }

    @Schema(name = "DeletedEvent", description = "A state was deleted")
    record Deleted(
            String key,
            long sequence,
            String action,
            @Nullable String event,
            String revision,
            Instant timestamp) {}

    @Schema(name = "AttemptEvent", description = "A key was claimed, or its attempt was closed")
    record AttemptChanged(
            String key,
            long attempt,
            int ordinal,
            @Nullable String worker,
            Instant startedAt,
            @Nullable Instant closedAt) {}

    @Schema(name = "OverdueEvent", description = "Nobody has written to the key in time")
    record Overdue(String key, Instant due) {}

    @GetMapping(EVENTS)
    @Operation(
            operationId = "streamEvents",
            summary = "Hear of what happens",
            description =
                    "Server-sent events `state`, `deleted`, `attempt`, in the order of the log of each key, and `failure` and "
                            + "`overdue` of this instance. The id is a position: sent as Last-Event-ID, to any instance, it "
                            + "resumes without a gap or a repeat, for what is in the log. A comment is sent when nothing happens.")
    @Parameter(
            name = LAST_EVENT_ID,
            in = ParameterIn.HEADER,
            description = "The id of the last event that was heard",
            schema = @Schema(type = "string"))
    @ApiParameters.OfKeys
    @ApiResponse(
            responseCode = "200",
            description = "The stream",
            content =
                    @Content(
                            mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                            schema = @Schema(type = "string"),
                            examples =
                                    @ExampleObject(
                                            "event: deleted\nid: AQ…\ndata: {\"key\":\"order-42\",\"sequence\":7,"
                                                    + "\"action\":\"charge-card\",\"event\":null,\"revision\":\"3-1042\","
                                                    + "\"timestamp\":\"2026-01-31T09:30:00.123Z\"}\n\n")))
    void stream(HttpServletRequest request, HttpServletResponse response) throws IOException, InterruptedException {
        RequestHeaders.refuseConditionsOfReads(request);
        Query query = Query.of(request, "key", "prefix");
        Predicate<String> keys = keys(query.segment("key"), query.text("prefix"));
        states.requireServing();
        String lastEventId = request.getHeader(LAST_EVENT_ID);
        Subscription subscription = subscribe(lastEventId == null || lastEventId.isEmpty() ? null : lastEventId, keys);
        boolean handedOver = false;
        try {
            response.setStatus(HttpStatus.OK.value());
            response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
            response.setCharacterEncoding(StandardCharsets.UTF_8);
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            response.setHeader("X-Accel-Buffering", "no"); // a proxy that collects would hold events back
            if (request.getMethod().equals("HEAD")) {
                return;
            }
            AsyncContext connection = request.startAsync();
            connection.setTimeout(0);
            threads.execute(() -> send(subscription, connection, response));
            handedOver = true;
        } finally {
            if (!handedOver) {
                subscription.close();
            }
        }
    }

    private static Predicate<String> keys(@Nullable String key, @Nullable String prefix) {
        return candidate -> (key == null || candidate.equals(key)) && (prefix == null || candidate.startsWith(prefix));
    }

    private Subscription subscribe(@Nullable String lastEventId, Predicate<String> keys) throws InterruptedException {
        try {
            if (lastEventId != null && events.isAhead(lastEventId)) {
                states.awaitAll(); // another instance had read further than this one
            }
            Subscription subscription = events.subscribe(lastEventId, keys);
            if (subscription == null) {
                throw new NotServingException(
                        NotServingException.Reason.OVERLOADED,
                        "As many listen as durable-state.events.subscribers allows");
            }
            return subscription;
        } catch (PositionGoneException e) {
            throw ProblemException.of(
                    Problem.POSITION_GONE, "Nobody can go on from there: %s".formatted(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalidParameter(
                    LAST_EVENT_ID, "is not a position of this service", "the id of an event");
        }
    }

    /** Sends until the caller goes away, is too slow, or the service ends. */
    private void send(Subscription subscription, AsyncContext connection, HttpServletResponse response) {
        try (subscription) {
            OutputStream out = response.getOutputStream();
            write(out, "retry: 1000\nid: " + subscription.position() + "\n\n");
            for (List<Subscription.Heard> heard = subscription.next(heartbeat);
                    heard != null;
                    heard = subscription.next(heartbeat)) {
                StringBuilder text = new StringBuilder();
                heard.forEach(one -> append(text, one));
                if (heard.isEmpty()) {
                    // What was passed over need not be passed over again.
                    text.append(": still here\nid: ")
                            .append(subscription.position())
                            .append("\n\n");
                }
                write(out, text.toString());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            log.debug("A listener went away", e);
        } finally {
            complete(connection);
        }
    }

    private static void complete(AsyncContext connection) {
        try {
            connection.complete();
        } catch (IllegalStateException e) {
            log.debug("The connection has ended already", e);
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private void append(StringBuilder text, Subscription.Heard heard) {
        text.append("event: ").append(name(heard.event())).append('\n');
        text.append("id: ").append(heard.id()).append('\n');
        text.append("data: ")
                .append(json.writeValueAsString(data(heard.event())))
                .append("\n\n");
    }

    private static String name(StateEvent event) {
        if (event instanceof StateEvent.Stored) {
            return "state";
        }
        if (event instanceof StateEvent.Deleted) {
            return "deleted";
        }
        if (event instanceof StateEvent.AttemptChanged) {
            return "attempt";
        }
        return event instanceof StateEvent.Failed ? "failure" : "overdue";
    }

    private static Object data(StateEvent event) {
        if (event instanceof StateEvent.Stored stored) {
            return Receipt.of(stored.receipt());
        }
        if (event instanceof StateEvent.Deleted deleted) {
            return new Deleted(
                    deleted.key(),
                    deleted.state().sequence(),
                    deleted.state().action(),
                    deleted.state().event(),
                    deleted.at().toString(),
                    deleted.timestamp());
        }
        if (event instanceof StateEvent.AttemptChanged changed) {
            return new AttemptChanged(
                    changed.key(),
                    changed.attempt().number(),
                    changed.attempt().ordinal(),
                    changed.attempt().worker(),
                    changed.attempt().startedAt(),
                    changed.attempt().closedAt());
        }
        if (event instanceof StateEvent.Failed failed) {
            return FailureView.of(failed.failure());
        }
        StateEvent.Overdue overdue = (StateEvent.Overdue) event;
        return new Overdue(overdue.key(), overdue.deadline().due());
    }

    /** Whatever else is asked of the address. */
    @RequestMapping(EVENTS)
    @Hidden
    void unsupported(HttpServletRequest request) throws HttpRequestMethodNotSupportedException {
        throw new HttpRequestMethodNotSupportedException(request.getMethod(), List.of("GET", "HEAD", "OPTIONS"));
    }
}
