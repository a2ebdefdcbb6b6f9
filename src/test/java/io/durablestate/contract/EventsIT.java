package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.ServiceProcess;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stream of events, on the embedded broker. */
class EventsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<EventStream> streams = new ArrayList<>();
    private ServiceProcess service;
    private Api api;

    private void start(String... namesAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        service = ServiceProcess.start(properties);
        api = new Api(service::baseUri);
        service.awaitReady(PATIENCE);
    }

    @AfterEach
    void stop() throws Exception {
        for (EventStream stream : streams) {
            stream.close();
        }
        service.close();
    }

    private EventStream listen(String query, String lastEventId) {
        EventStream stream = EventStream.open(service.baseUri(), query, lastEventId);
        streams.add(stream);
        return stream;
    }

    private EventStream listen(String query) {
        EventStream stream = listen(query, null);
        assertThat(stream.status()).isEqualTo(200);
        return stream;
    }

    private static void awaitEvents(EventStream stream, int count) {
        await().atMost(PATIENCE).until(() -> stream.events().size() >= count);
        assertThat(stream.events()).hasSize(count);
    }

    private Answer claim(String key, String worker) {
        return api.send(
                "POST",
                "/api/v1/attempts/" + key,
                BodyPublishers.ofString("{\"worker\":\"%s\"}".formatted(worker)),
                "Content-Type",
                "application/json");
    }

    @Test
    void tellsWhatHappensInItsOrder() {
        start();
        EventStream all = listen("");
        assertThat(all.header("Content-Type")).startsWith("text/event-stream");
        EventStream one = listen("?key=order-42");
        EventStream some = listen("?prefix=order-");

        Answer put = api.put("order-42/7/charge-card?completed=true", "1");
        long first = claim("order-42", "pod-1").json().path("attempt").longValue();
        claim("order-42", "pod-2");
        assertThat(api.put(
                                "order-42/7/charge-card",
                                "2".getBytes(StandardCharsets.UTF_8),
                                "Attempt",
                                Long.toString(first))
                        .status())
                .isEqualTo(409);
        api.delete("order-42/7/charge-card");
        api.put("order-43/1/a", "3");
        api.put("job-1/1/a", "4");

        awaitEvents(one, 5);
        assertThat(one.events())
                .extracting(EventStream.Event::name)
                .containsExactly("state", "attempt", "attempt", "failure", "deleted");
        assertThat(one.events().get(0).data()).isEqualTo(put.json());
        assertThat(one.events().get(2).data().path("worker").stringValue()).isEqualTo("pod-2");
        assertThat(one.events().get(3).data().path("problem").stringValue()).isEqualTo("attempt-fenced");
        assertThat(one.events().get(4).data().path("action").stringValue()).isEqualTo("charge-card");
        awaitEvents(some, 6);
        awaitEvents(all, 7);
    }

    @Test
    void tellsOnceOfAKeyThatIsOverdue() {
        start();
        EventStream stream = listen("?key=slow");
        api.put("slow/1/a?expectWithin=PT1S", "1");
        awaitEvents(stream, 2);
        assertThat(stream.events().get(1).name()).isEqualTo("overdue");
        assertThat(stream.events().get(1).key()).isEqualTo("slow");
        api.put("slow/1/a", "2");
        awaitEvents(stream, 3);
        assertThat(stream.events().get(2).name()).isEqualTo("state");
    }

    @Test
    void goesOnWithoutAGapOrARepeatThroughAKillAndARestart() throws Exception {
        start();
        EventStream before = listen("");
        ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
        ExecutorService writers = Executors.newFixedThreadPool(8);
        List<Future<?>> writing = new ArrayList<>();
        for (int w = 0; w < 8; w++) {
            int writer = w;
            writing.add(writers.submit(() -> putUntilKilled(writer, acknowledged)));
        }
        await().atMost(PATIENCE).until(() -> acknowledged.size() > 500);
        service.kill();
        for (Future<?> future : writing) {
            future.get();
        }
        writers.shutdown();
        await().atMost(PATIENCE).until(before::isOver);
        service.restart();
        service.awaitReady(PATIENCE);
        EventStream after = listen("", before.lastId());
        assertThat(after.status()).isEqualTo(200);
        api.put("last/1/a", "1");
        await().atMost(PATIENCE)
                .until(() ->
                        after.events().stream().anyMatch(event -> event.key().equals("last")));

        List<String> heard = new ArrayList<>();
        before.events().forEach(event -> heard.add(event.data().path("revision").stringValue()));
        after.events().forEach(event -> heard.add(event.data().path("revision").stringValue()));
        assertThat(heard).doesNotHaveDuplicates().containsAll(acknowledged);
        Map<String, Long> offsets = new HashMap<>();
        for (String revision : heard) {
            String partition = revision.substring(0, revision.indexOf('-'));
            long offset = Long.parseLong(revision.substring(revision.indexOf('-') + 1));
            assertThat(offset).isEqualTo(offsets.getOrDefault(partition, -1L) + 1);
            offsets.put(partition, offset);
        }
    }

    private void putUntilKilled(int writer, ConcurrentLinkedQueue<String> acknowledged) {
        try {
            for (int i = 0; ; i++) {
                Answer put = api.put("writer-" + writer + "/" + i + "/a", "1");
                if (put.isSuccess()) {
                    acknowledged.add(put.json().path("revision").stringValue());
                }
            }
        } catch (java.io.UncheckedIOException e) {
            // The service was killed.
        }
    }

    @Test
    void aListenerThatReadsNothingDisturbsNobodyAndIsSentAway() throws Exception {
        start("durable-state.events.buffer", "1000", "server.tomcat.connection-timeout", "2s");
        EventStream quick = listen("");
        URI address = service.baseUri();
        try (Socket silent = new Socket(address.getHost(), address.getPort())) {
            silent.getOutputStream()
                    .write("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            await().atMost(PATIENCE).until(() -> subscribers() == 2);
            String longName = "x".repeat(200);
            int puts = 0;
            while (subscribers() == 2) {
                assertThat(puts).as("puts until the silent one was sent away").isLessThan(60_000);
                batch(longName, puts);
                puts += 1_000;
                int told = puts;
                await().atMost(PATIENCE).until(() -> quick.events().size() == told);
            }
        }
    }

    private void batch(String name, int from) {
        StringBuilder body = new StringBuilder("{\"writes\":[");
        for (int i = 0; i < 1_000; i++) {
            body.append(i == 0 ? "" : ",")
                    .append("{\"key\":\"%s-%d\",\"sequence\":1,\"action\":\"%s\",\"state\":1}"
                            .formatted(name, from + i, name));
        }
        assertThat(api.send(
                                "POST",
                                "/api/v1/batch",
                                BodyPublishers.ofString(body.append("]}").toString()),
                                "Content-Type",
                                "application/json")
                        .status())
                .isEqualTo(200);
    }

    private int subscribers() {
        return api.read("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith("durable_state_events_subscribers"))
                .map(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void keepsTheConnectionAliveAndEndsWithTheService() {
        start("durable-state.events.heartbeat", "200ms");
        EventStream stream = listen("");
        await().atMost(PATIENCE).until(() -> stream.comments() >= 3);
        long begin = System.nanoTime();
        service.terminate();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        await().atMost(PATIENCE).until(stream::isOver);
    }

    @Test
    void refusesWhatItCannotServe() throws Exception {
        start("durable-state.events.subscribers", "2", "durable-state.events.buffer", "100");
        EventStream first = listen("");
        String position = first.lastId();
        listen("");
        EventStream third = listen("", null);
        assertThat(third.status()).isEqualTo(503);
        assertThat(third.header("Retry-After")).isNotEmpty();

        Answer malformed = api.read("/api/v1/events", "Last-Event-ID", "yesterday");
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.json().path("parameter").stringValue()).isEqualTo("Last-Event-ID");
        assertThat(api.read("/api/v1/events?keys=a").status()).isEqualTo(400);
        assertThat(api.call("POST", "/api/v1/events").status()).isEqualTo(405);

        byte[] beyond = Base64.getUrlDecoder().decode(position);
        beyond[beyond.length - 1] = 127;
        streams.get(1).close();
        await().atMost(PATIENCE).untilAsserted(() -> {
            api.put("a/1/a", "1"); // shows the service that a listener has gone
            Answer cut = api.read(
                    "/api/v1/events",
                    "Last-Event-ID",
                    Base64.getUrlEncoder().withoutPadding().encodeToString(beyond));
            assertThat(cut.problem()).isEqualTo("position-gone");
            assertThat(cut.text()).contains("beyond the end");
        });

        batch("many", 0);
        Answer gone = api.read("/api/v1/events", "Last-Event-ID", position);
        // The two who listen hold their places, or have been sent away; either way nobody goes on from there.
        assertThat(gone.status()).isIn(410, 503);
        await().atMost(PATIENCE).untilAsserted(() -> {
            streams.get(1).close();
            Answer later = api.read("/api/v1/events", "Last-Event-ID", position);
            assertThat(later.status()).isEqualTo(410);
            assertThat(later.problem()).isEqualTo("position-gone");
        });
    }
}
