package io.durablestate.contract;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One who listens to the events of an instance, on a thread of its own. */
final class EventStream implements AutoCloseable {

    record Event(String name, String id, JsonNode data) {

        String key() {
            return data.path("key").stringValue();
        }
    }

    private final HttpResponse<InputStream> response;
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger comments = new AtomicInteger();
    private final Thread reader;
    private volatile String lastId = "";

    private EventStream(HttpResponse<InputStream> response) {
        this.response = response;
        this.reader = new Thread(this::read, "listener");
        reader.setDaemon(true);
    }

    /** Begins to listen; returns once the stream has begun, or the request was refused. */
    static EventStream open(URI base, String query, @Nullable String lastEventId) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + "/api/v1/events" + query))
                .timeout(Duration.ofSeconds(30))
                .header("Accept", "text/event-stream");
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        try {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            EventStream stream = new EventStream(client.send(request.build(), BodyHandlers.ofInputStream()));
            if (stream.status() == 200) {
                stream.reader.start();
                await().atMost(Duration.ofSeconds(30)).until(() -> !stream.lastId.isEmpty());
            }
            return stream;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        String name = "";
        String data = "";
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(":")) {
                    comments.incrementAndGet();
                } else if (line.startsWith("event: ")) {
                    name = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.startsWith("id: ")) {
                    lastId = line.substring(4);
                } else if (line.isEmpty() && !data.isEmpty()) {
                    events.add(new Event(name, lastId, JsonMapper.shared().readTree(data)));
                    name = "";
                    data = "";
                }
            }
        } catch (IOException e) {
            // The connection broke: what was heard until then counts.
        }
    }

    int status() {
        return response.statusCode();
    }

    String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** What was heard so far, in order. */
    List<Event> events() {
        return events;
    }

    int comments() {
        return comments.get();
    }

    /** The position after the last event that was heard. */
    String lastId() {
        return lastId;
    }

    /** Whether the stream has come to its end. */
    boolean isOver() {
        return !reader.isAlive();
    }

    @Override
    public void close() throws IOException {
        response.body().close();
    }
}
