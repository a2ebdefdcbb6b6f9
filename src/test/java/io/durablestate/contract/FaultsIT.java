package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.ServiceProcess;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Faults on demand: what a client meets is what was asked for, and the truth stays the truth. */
class FaultsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private ServiceProcess service;
    private Api api;

    private void start(Map<String, String> properties) {
        service = ServiceProcess.start(properties);
        api = new Api(service::baseUri);
    }

    private void startWithFaults() {
        start(Map.of("durable-state.faults.enabled", "true", "durable-state.failures.settle-after", "2s"));
        service.awaitReady(PATIENCE);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private Answer arm(String json) {
        return api.send("PUT", "/api/v1/faults", BodyPublishers.ofString(json), "Content-Type", "application/json");
    }

    private JsonNode onlyFailure(String key) {
        JsonNode items = api.read("/api/v1/failures?key=" + key).json().path("items");
        assertThat(items).hasSize(1);
        return items.path(0);
    }

    @Test
    void anAnswerIsLostThoughTheStateIsStored() throws IOException {
        startWithFaults();
        assertThat(arm("{\"fault\":\"lose-answer\",\"key\":\"lost\"}").status()).isEqualTo(200);
        assertThat(answerToPut("lost")).isEmpty();
        assertThat(api.get("lost/1/a").text()).isEqualTo("1");
        assertThat(answerToPut("lost")).startsWith("HTTP/1.1 200");
    }

    /** All that comes back until the connection is closed. A plain socket, since clients of HTTP repeat a PUT by themselves. */
    private String answerToPut(String key) throws IOException {
        URI address = service.baseUri();
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            String request = String.join(
                    "\r\n",
                    "PUT /api/v1/states/%s/1/a HTTP/1.1".formatted(key),
                    "Host: localhost",
                    "Connection: close",
                    "Content-Type: application/json",
                    "Content-Length: 1",
                    "",
                    "1");
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void anUnknownWriteThatIsWrittenTurnsUp() {
        startWithFaults();
        arm("{\"fault\":\"unknown-written\",\"operation\":\"put\"}");
        Answer answer = api.put("written/1/a", "1");
        assertThat(answer.status()).isEqualTo(504);
        assertThat(answer.problem()).isEqualTo("ack-timeout");
        assertThat(answer.outcome()).isEqualTo("unknown");
        await().atMost(PATIENCE)
                .until(() ->
                        onlyFailure("written").path("outcome").stringValue().equals("persisted"));
        Answer get = api.get("written/1/a");
        assertThat(get.text()).isEqualTo("1");
        assertThat(get.header("State-Write-Id"))
                .isEqualTo(answer.json().path("writeId").stringValue());
        assertThat(api.put("written/1/a", "2").status()).isEqualTo(200);
    }

    @Test
    void anUnknownWriteThatIsNotWrittenIsSettledAsSuch() {
        startWithFaults();
        arm("{\"fault\":\"unknown-not-written\"}");
        Answer answer = api.put("unwritten/1/a", "1");
        assertThat(answer.status()).isEqualTo(504);
        assertThat(answer.outcome()).isEqualTo("unknown");
        assertThat(api.get("unwritten/1/a").status()).isEqualTo(404);
        await().atMost(PATIENCE)
                .until(() ->
                        onlyFailure("unwritten").path("outcome").stringValue().equals("not-persisted"));
    }

    @Test
    void aWriteIsRejectedOrDelayed() {
        startWithFaults();
        arm("""
                [{"fault":"reject","problem":"not-enough-replicas","operation":"claim"},
                 {"fault":"delay","delayMillis":700,"prefix":"slow-"}]""");
        Answer claim = api.call("POST", "/api/v1/attempts/slow-1");
        assertThat(claim.status()).isEqualTo(503);
        assertThat(claim.problem()).isEqualTo("not-enough-replicas");
        assertThat(claim.outcome()).isEqualTo("not-persisted");
        assertThat(api.read("/api/v1/attempts/slow-1").status()).isEqualTo(404);
        long begin = System.nanoTime();
        assertThat(api.put("slow-1/1/a", "1").status()).isEqualTo(201);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(700));
        JsonNode faults = api.read("/api/v1/faults").json().path("faults");
        assertThat(faults)
                .hasSize(2)
                .allSatisfy(fault -> assertThat(fault.path("fired").intValue()).isEqualTo(1));
        assertThat(api.call("POST", "/api/v1/attempts/slow-1").status()).isEqualTo(201);
    }

    @Test
    void whatCannotBeMeantIsRefused() {
        startWithFaults();
        for (String body : List.of(
                "",
                "[]",
                "7",
                "{}",
                "{\"fault\":\"explode\"}",
                "{\"fault\":\"delay\",\"count\":0}",
                "{\"fault\":\"delay\",\"count\":\"1\"}",
                "{\"fault\":\"delay\",\"delayMillis\":60001}",
                "{\"fault\":\"delay\",\"problem\":\"overloaded\"}",
                "{\"fault\":\"reject\",\"problem\":\"internal\"}",
                "{\"fault\":\"reject\",\"operation\":\"restore\"}",
                "{\"fault\":\"reject\",\"times\":2}")) {
            assertThat(arm(body).status()).as(body).isEqualTo(400);
        }
        assertThat(api.read("/api/v1/faults").json().path("faults")).isEmpty();
        assertThat(api.call("POST", "/api/v1/faults").status()).isEqualTo(405);
        assertThat(api.read("/v3/api-docs").text()).contains("armFaults");
    }

    @Test
    void nobodyCanArmFaultsUnlessTheyAreEnabled() {
        start(Map.of());
        service.awaitReady(PATIENCE);
        assertThat(arm("{\"fault\":\"delay\"}").status()).isEqualTo(404);
        assertThat(api.read("/v3/api-docs").text()).doesNotContain("armFaults");
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.kafka.bootstrap-servers", "spring.kafka.bootstrap-servers[0]"})
    void theStartOnAClusterIsRefused(String property) {
        start(Map.of("durable-state.faults.enabled", "true", property, "127.0.0.1:1"));
        assertThat(service.awaitEnd(PATIENCE)).isEqualTo(1);
        assertThat(service.log()).contains("durable-state.faults.enabled").contains("for the embedded broker only");
    }
}
