package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The service with the broker inside its process: killed, short of memory, and fed too much. */
class EmbeddedBrokerFaultsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int CLIENTS = 16;

    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private ServiceProcess service;
    private Api api;

    private void start(Map<String, String> properties) {
        service = ServiceProcess.start(properties);
        api = new Api(service::baseUri);
        service.awaitReady(PATIENCE);
    }

    @AfterEach
    void stop() {
        clients.shutdownNow();
        service.close();
    }

    @Test
    void whatWasAcknowledgedSurvivesAKillInTheMiddle() throws Exception {
        start(Map.of());
        Map<String, Answer> answers = new ConcurrentHashMap<>();
        AtomicInteger next = new AtomicInteger();
        CountDownLatch half = new CountDownLatch(250);
        List<Future<?>> writing = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            writing.add(clients.submit(() -> {
                for (int i = next.getAndIncrement(); i < 500; i = next.getAndIncrement()) {
                    String state = "crash-" + (i % 40) + "/" + i + "/step";
                    try {
                        answers.put(state, api.put(state, bodyOf(state)));
                    } catch (UncheckedIOException e) {
                        return; // Killed: no answer, so nothing was promised.
                    } finally {
                        half.countDown();
                    }
                }
            }));
        }
        half.await();
        service.kill();
        for (Future<?> client : writing) {
            client.get();
        }

        service.restart();
        service.awaitReady(PATIENCE);
        long acknowledged = answers.values().stream().filter(Answer::isSuccess).count();
        assertThat(acknowledged).isGreaterThanOrEqualTo(200).isLessThan(500);
        answers.forEach((state, answer) -> {
            Answer get = api.get(state);
            if (answer.isSuccess()) {
                assertThat(get.text()).isEqualTo(bodyOf(state));
                assertThat(get.header("ETag")).isEqualTo(answer.header("ETag"));
            } else if (answer.outcome().equals("not-persisted")) {
                assertThat(get.status()).as(answer.toString()).isEqualTo(404);
            }
        });
    }

    private static String bodyOf(String state) {
        return "{\"state\":\"" + state + "\"}";
    }

    @Test
    void aSmallCacheNeverTurnsAStateIntoANotFound() {
        start(Map.of("durable-state.cache.max-bytes", "40KB"));
        for (int i = 0; i < 1000; i++) {
            api.put("cached-" + i + "/1/a", "{\"n\":" + i + ",\"pad\":\"" + "x".repeat(200) + "\"}");
        }

        for (int i = 0; i < 1000; i++) {
            Answer get = api.get("cached-" + i + "/1/a");
            assertThat(get.status()).isEqualTo(200);
            assertThat(get.json().path("n").intValue()).isEqualTo(i);
        }
        JsonNode status = api.read("/api/v1/status").json();
        assertThat(status.path("cachedBytes").longValue()).isLessThanOrEqualTo(48 * 1024);
        assertThat(status.path("states").longValue()).isEqualTo(1000);
    }

    @Test
    void aBodyWithoutEndIsRefusedEarlyAndTakesNoMemory() throws Exception {
        start(Map.of());
        long before = service.residentMemoryBytes();
        URI address = service.baseUri();
        byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        long sent = 0;
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write(String.join(
                                    "\r\n",
                                    "PUT /api/v1/states/endless/1/a HTTP/1.1",
                                    "Host: localhost",
                                    "Content-Type: text/plain",
                                    "Transfer-Encoding: chunked",
                                    "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            while (sent < 500_000_000 && socket.getInputStream().available() == 0) {
                socket.getOutputStream().write(chunk);
                sent += chunk.length;
            }
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 413");
        }
        assertThat(sent).isLessThan(50_000_000);
        assertThat(service.residentMemoryBytes() - before).isLessThan(150_000_000);
        assertThat(api.get("endless/1/a").status()).isEqualTo(404);
    }

    @Test
    void manyCallersThatSendSlowlyKeepNobodyElseWaiting() throws Exception {
        start(Map.of("durable-state.limits.uploads", "20", "server.tomcat.connection-timeout", "5s"));
        URI address = service.baseUri();
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                Socket socket = new Socket(address.getHost(), address.getPort());
                slow.add(socket);
                socket.getOutputStream()
                        .write(
                                "PUT /api/v1/states/slow-%d/1/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n1"
                                        .formatted(i)
                                        .getBytes(StandardCharsets.US_ASCII));
            }
            await().atMost(PATIENCE).until(() -> answered(slow) >= 40);
            assertThat(api.get("nobody/1/a").status()).isEqualTo(404);
            assertThat(api.read("/actuator/health/readiness").status()).isEqualTo(200);
            // The others are cut off, and their places are free again.
            await().atMost(PATIENCE).until(() -> api.put("quick/1/a", "1").isSuccess());
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static long answered(List<Socket> sockets) throws IOException {
        long answered = 0;
        for (Socket socket : sockets) {
            answered += socket.getInputStream().available() > 0 ? 1 : 0;
        }
        return answered;
    }

    @Test
    void anIdleServiceWithItsBrokerIsSmall() {
        start(Map.of());

        await().during(Duration.ofSeconds(5))
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(service.residentMemoryBytes()).isLessThan(600L * 1024 * 1024));
        System.out.printf("resident when idle: %d MB%n", service.residentMemoryBytes() / 1024 / 1024);
    }

    @Test
    void aLongListIsPagedWhileStatesComeAndGo() throws Exception {
        start(Map.of("durable-state.embedded.fsync", "false"));
        int states = 3_000;
        List<Future<?>> filling = new ArrayList<>();
        AtomicInteger next = new AtomicInteger();
        for (int client = 0; client < CLIENTS; client++) {
            filling.add(clients.submit(() -> {
                for (int i = next.getAndIncrement(); i < states; i = next.getAndIncrement()) {
                    api.put("paged-%05d/1/a".formatted(i), "1");
                }
            }));
        }
        for (Future<?> client : filling) {
            client.get();
        }
        CountDownLatch done = new CountDownLatch(1);
        Future<?> disturbing = clients.submit(() -> {
            Random random = new Random(7);
            while (done.getCount() > 0) {
                String comer = "paged-%05d/2/comer".formatted(random.nextInt(states));
                api.put(comer, "1");
                api.delete(comer);
            }
        });

        Set<String> seen = new HashSet<>();
        String cursor = "";
        do {
            JsonNode page = api.read("/api/v1/states?prefix=paged-&action=a&limit=100" + cursor)
                    .json();
            page.path("items")
                    .forEach(item ->
                            assertThat(seen.add(item.path("key").stringValue())).isTrue());
            JsonNode following = page.path("next");
            cursor = following.isNull() ? "" : "&cursor=" + following.stringValue();
        } while (!cursor.isEmpty());
        done.countDown();
        disturbing.get();

        assertThat(seen).hasSize(states);
    }

    @Test
    void aSecondProcessOnTheSameDirectoryIsRefusedInTwoLines() throws IOException {
        start(Map.of());

        try (ServiceProcess second = ServiceProcess.start(Map.of(
                "durable-state.embedded.directory",
                service.directory().resolve("data").toString()))) {
            assertThat(second.awaitEnd(PATIENCE)).isNotZero();
            assertThat(second.log()).contains("APPLICATION FAILED TO START").contains("data");
        }
        assertThat(api.put("still/1/a", "1").isSuccess()).isTrue();
    }
}
