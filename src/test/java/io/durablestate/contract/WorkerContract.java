package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a worker needs that may crash: conditions, attempts, batches, reads that are new enough. */
abstract class WorkerContract extends HttpContract {

    private Answer put(String action, String body, String... headers) {
        return api().put(state(action), body.getBytes(StandardCharsets.UTF_8), headers);
    }

    private Answer claim(String worker) {
        return post("/api/v1/attempts/" + key(), "{\"worker\":\"%s\"}".formatted(worker));
    }

    private Answer post(String path, String json) {
        return api().send("POST", path, BodyPublishers.ofString(json), "Content-Type", "application/json");
    }

    private static String attemptOf(Answer claim) {
        assertThat(claim.status()).isEqualTo(201);
        return Long.toString(claim.json().path("attempt").longValue());
    }

    @Test
    void aPutWithARevisionReplacesThatRevisionOnly() {
        String first = put("cas", "1").header("ETag");
        Answer second = put("cas", "2", "If-Match", first);
        assertThat(second.status()).isEqualTo(200);

        Answer third = put("cas", "3", "If-Match", first);
        assertThat(third.status()).isEqualTo(412);
        assertThat(third.problem()).isEqualTo("precondition-failed");
        assertThat(third.outcome()).isEqualTo("not-persisted");
        assertThat('"' + third.json().path("currentRevision").stringValue() + '"')
                .isEqualTo(second.header("ETag"));
        assertThat(api().get(state("cas")).text()).isEqualTo("2");
    }

    @Test
    void aPutOnNothingSucceedsOnce() {
        assertThat(put("create", "1", "If-None-Match", "*").status()).isEqualTo(201);
        Answer again = put("create", "2", "If-None-Match", "*");
        assertThat(again.status()).isEqualTo(412);
        assertThat(api().delete(state("create")).status()).isEqualTo(204);
        assertThat(put("create", "3", "If-Match", "\"0-0\"")
                        .json()
                        .path("currentRevision")
                        .isNull())
                .isTrue();
        assertThat(put("create", "4", "If-None-Match", "*").status()).isEqualTo(201);
        assertThat(api().get(state("create")).text()).isEqualTo("4");
    }

    @Test
    void aDeletionWithARevisionDeletesThatRevisionOnly() {
        String first = put("delete", "1").header("ETag");
        String second = put("delete", "2").header("ETag");
        assertThat(api().delete(state("delete"), "If-Match", first).status()).isEqualTo(412);
        assertThat(api().get(state("delete")).text()).isEqualTo("2");
        assertThat(api().delete(state("delete"), "If-Match", second).status()).isEqualTo(204);
        assertThat(api().delete(state("delete"), "If-Match", second).status()).isEqualTo(404);
    }

    @Test
    void ofManyWritersThatSawTheSameOneWins() throws Exception {
        String seen = put("race", "0").header("ETag");
        ExecutorService writers = Executors.newFixedThreadPool(8);
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 1; i <= 24; i++) {
            String body = Integer.toString(i);
            answers.add(writers.submit(() -> put("race", body, "If-Match", seen)));
        }
        List<Answer> winners = new ArrayList<>();
        for (Future<Answer> answer : answers) {
            if (answer.get().isSuccess()) {
                winners.add(answer.get());
            } else {
                assertThat(answer.get().status()).isEqualTo(412);
            }
        }
        writers.shutdown();
        assertThat(winners).hasSize(1);
        Answer state = api().get(state("race"));
        assertThat(state.header("ETag")).isEqualTo(winners.get(0).header("ETag"));
        assertThat(state.header("State-Write-Id"))
                .isEqualTo(winners.get(0).json().path("writeId").stringValue());
    }

    @Test
    void aWriteThatIsRepeatedAfterItsAnswerWasLostIsAnsweredWithWhatItStored() {
        String first = put("lost", "1").header("ETag");
        Answer stored = put("lost", "2", "If-Match", first, "Idempotency-Key", key() + "-step-2");
        assertThat(stored.json().path("writeId").stringValue()).isEqualTo(key() + "-step-2");

        Answer repeated = put("lost", "2", "If-Match", first, "Idempotency-Key", key() + "-step-2");
        assertThat(repeated.status()).isEqualTo(200);
        assertThat(repeated.header("Already-Applied")).isEqualTo("true");
        assertThat(repeated.header("ETag")).isEqualTo(stored.header("ETag"));
        assertThat(repeated.json()).isEqualTo(stored.json());
        assertThat(put("lost", "2", "If-Match", first).status()).isEqualTo(412);
    }

    @Test
    void aClaimBringsEverythingThatIsNeededToResume() {
        put("charge", "{\"amount\": 12.50}");
        api().put(state("label"), "hello".getBytes(StandardCharsets.UTF_8), "Content-Type", "text/plain");
        String first = attemptOf(claim("pod-1"));

        Answer second = claim("pod-2");
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.header("Location")).isEqualTo("/api/v1/attempts/" + key());
        JsonNode claim = second.json();
        assertThat(claim.path("key").stringValue()).isEqualTo(key());
        assertThat(claim.path("ordinal").intValue()).isEqualTo(2);
        assertThat(claim.path("worker").stringValue()).isEqualTo("pod-2");
        assertThat(claim.path("previous").path("attempt").longValue()).isEqualTo(Long.parseLong(first));
        assertThat(claim.path("previous").path("worker").stringValue()).isEqualTo("pod-1");
        assertThat(claim.path("states")).hasSize(2);
        assertThat(second.text()).contains("\"state\":{\"amount\": 12.50}").contains("\"stateBase64\":\"aGVsbG8=\"");
        assertThat(claim.path("next").isNull()).isTrue();

        Answer current = api().read("/api/v1/attempts/" + key());
        assertThat(current.json().path("attempt")).isEqualTo(claim.path("attempt"));
        assertThat(current.json().path("closedAt").isNull()).isTrue();
        assertThat(current.json().path("states").path("total").intValue()).isEqualTo(2);
    }

    @Test
    void aClaimNeedsNoBodyAndTakesNoStrangeOne() {
        Answer nameless = api().send("POST", "/api/v1/attempts/" + key(), BodyPublishers.noBody());
        assertThat(nameless.status()).isEqualTo(201);
        assertThat(nameless.json().path("worker").isNull()).isTrue();
        for (String body : List.of("[]", "{\"worker\":7}", "{\"worker\":\"\"}", "{\"name\":\"pod-7\"}", "{")) {
            Answer answer = post("/api/v1/attempts/" + key(), body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.outcome()).isEqualTo("not-persisted");
        }
        assertThat(post("/api/v1/attempts/" + key() + "/7", "{}").status()).isEqualTo(405);
        assertThat(post("/api/v1/attempts/..%2F", "{}").status()).isEqualTo(201);
        assertThat(post("/api/v1/attempts/%FF", "{}").problem()).isEqualTo("invalid-key");
        assertThat(api().read("/api/v1/attempts/nobody-" + key()).problem()).isEqualTo("attempt-not-found");
    }

    @Test
    void anAttemptThatWasSupersededCannotWriteAndItsWriteIsKeptAsEvidence() {
        String first = attemptOf(claim("pod-1"));
        assertThat(put("step", "1", "Attempt", first).json().path("attempt").longValue())
                .isEqualTo(Long.parseLong(first));
        String second = attemptOf(claim("pod-2"));
        Answer mine = put("step", "2", "Attempt", second);

        Answer zombie = put("step", "3", "Attempt", first);
        assertThat(zombie.status()).isEqualTo(409);
        assertThat(zombie.problem()).isEqualTo("attempt-fenced");
        assertThat(zombie.outcome()).isEqualTo("not-persisted");
        assertThat(zombie.json().path("currentAttempt").longValue()).isEqualTo(Long.parseLong(second));
        assertThat(zombie.json().path("currentWorker").stringValue()).isEqualTo("pod-2");
        assertThat(api().delete(state("step"), "Attempt", first).problem()).isEqualTo("attempt-fenced");

        Answer state = api().get(state("step"));
        assertThat(state.text()).isEqualTo("2");
        assertThat(state.header("ETag")).isEqualTo(mine.header("ETag"));
        assertThat(state.header("State-Attempt")).isEqualTo(second);
        JsonNode evidence = api().read("/api/v1/failures?key=" + key() + "&operation=put")
                .json()
                .path("items")
                .path(0);
        assertThat(evidence.path("problem").stringValue()).isEqualTo("attempt-fenced");
        assertThat(evidence.path("attempt").longValue()).isEqualTo(Long.parseLong(first));
        assertThat(evidence.path("worker").stringValue()).isEqualTo("pod-1");
        assertThat(evidence.path("fencedBy").path("worker").stringValue()).isEqualTo("pod-2");
        assertThat(put("step", "4").status()).isEqualTo(200);
    }

    @Test
    void aClosedAttemptCannotWriteAndOnlyTheCurrentOneCanBeClosed() {
        String attempts = "/api/v1/attempts/" + key() + "/";
        assertThat(api().call("DELETE", attempts + "1").problem()).isEqualTo("attempt-not-found");
        String first = attemptOf(claim("pod-1"));
        String second = attemptOf(claim("pod-2"));
        assertThat(api().call("DELETE", attempts + first).problem()).isEqualTo("attempt-fenced");
        assertThat(api().call("DELETE", attempts + second).status()).isEqualTo(204);
        assertThat(api().call("DELETE", attempts + second).status()).isEqualTo(204);
        assertThat(api().call("DELETE", attempts + first).problem()).isEqualTo("attempt-closed");
        assertThat(api().call("DELETE", attempts + "last").status()).isEqualTo(400);

        for (String attempt : List.of(first, second)) {
            Answer late = put("late", "1", "Attempt", attempt);
            assertThat(late.status()).isEqualTo(409);
            assertThat(late.problem()).isEqualTo("attempt-closed");
        }
        JsonNode closed = api().read("/api/v1/attempts/" + key()).json();
        assertThat(closed.path("attempt").longValue()).isEqualTo(Long.parseLong(second));
        assertThat(closed.path("worker").stringValue()).isEqualTo("pod-2");
        assertThat(closed.path("closedAt").isString()).isTrue();

        Answer third = claim("pod-3");
        assertThat(third.json().path("ordinal").intValue()).isEqualTo(3);
        assertThat(third.json().path("previous").path("closedAt").isString()).isTrue();
        assertThat(put("late", "2", "Attempt", attemptOf(third)).status()).isEqualTo(201);
    }

    @Test
    void attemptsAreListedByKey() {
        for (String suffix : List.of("a", "b", "c", "d")) {
            assertThat(post("/api/v1/attempts/" + key() + suffix, "{}").status())
                    .isEqualTo(201);
        }
        long b = api().read("/api/v1/attempts/" + key() + "b")
                .json()
                .path("attempt")
                .longValue();
        assertThat(api().call("DELETE", "/api/v1/attempts/" + key() + "b/" + b).status())
                .isEqualTo(204);

        assertThat(listed("prefix=" + key())).containsExactly(key() + "a", key() + "b", key() + "c", key() + "d");
        assertThat(listed("prefix=" + key() + "&open=false")).containsExactly(key() + "b");
        assertThat(listed("prefix=" + key() + "&open=true&limit=1"))
                .containsExactly(key() + "a", key() + "c", key() + "d");
        assertThat(api().read("/api/v1/attempts?key=x").status()).isEqualTo(400);
        assertThat(api().read("/api/v1/attempts?cursor=x").status()).isEqualTo(400);
        assertThat(api().call("POST", "/api/v1/attempts").status()).isEqualTo(405);
    }

    /** The keys of all pages. */
    private List<String> listed(String query) {
        List<String> keys = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            JsonNode page = api().read("/api/v1/attempts?" + query + (cursor.isEmpty() ? "" : "&cursor=" + cursor))
                    .json();
            page.path("items").forEach(item -> keys.add(item.path("key").stringValue()));
            cursor = page.path("next").stringValue(null);
        }
        return keys;
    }

    @Test
    void readsCanAskForWhatIsNew() {
        String etag = put("new", "1").header("ETag");
        String revision = etag.substring(1, etag.length() - 1);
        for (String query :
                List.of("consistency=strong", "atLeast=" + revision, "consistency=strong&atLeast=" + revision)) {
            assertThat(api().get(state("new") + "?" + query).text()).isEqualTo("1");
            assertThat(api().call("HEAD", "/api/v1/states/" + state("new") + "?" + query)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(api().read("/api/v1/states?consistency=strong&key=" + key())
                        .json()
                        .path("items"))
                .hasSize(1);
        int partition = Integer.parseInt(revision.substring(0, revision.indexOf('-')));
        Answer foreign = api().get(state("new") + "?atLeast=" + (partition + 1) + "-0");
        assertThat(foreign.status()).isEqualTo(400);
        assertThat(foreign.json().path("parameter").stringValue()).isEqualTo("atLeast");
    }

    @Test
    void aRevisionThatNobodyHasWrittenIsWaitedForAndThenRefused() {
        String etag = put("future", "1").header("ETag");
        String future = etag.substring(1, etag.indexOf('-')) + "-" + 1_000_000_000L;
        Answer answer = api().get(state("future") + "?atLeast=" + future);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.problem()).isEqualTo("recovering");
        assertThat(answer.header("Retry-After")).isNotEmpty();
    }

    @Test
    void aBatchStoresAndDeletesInOrder() {
        put("gone", "1");
        Answer answer = post("/api/v1/batch", """
                {"writes":[
                  {"key":"%1$s","sequence":7,"action":"a","completed":true,"state":{"n": 12345678901234567890.10}},
                  {"key":"%1$s","sequence":7,"action":"gone","delete":true},
                  {"key":"%1$s","sequence":7,"action":"a","event":"e-1","state":"text"},
                  {"key":"%1$s","sequence":7,"action":"a","state":[1, 2],"idempotencyKey":"k-1"}
                ]}""".formatted(key()));
        assertThat(answer.status()).isEqualTo(200);
        JsonNode results = answer.json().path("results");
        assertThat(List.of(0, 1, 2, 3))
                .map(i -> results.path(i).path("status").intValue())
                .containsExactly(201, 204, 201, 200);
        assertThat(results.path(3).path("receipt").path("writeId").stringValue())
                .isEqualTo("k-1");
        assertThat(api().get(state("a")).text()).isEqualTo("[1, 2]");
        assertThat(api().get(state("a") + "/e-1").text()).isEqualTo("\"text\"");
        assertThat(api().get(state("gone")).status()).isEqualTo(404);
    }

    @Test
    void aBatchNeverHidesWhatFailed() {
        String etag = put("kept", "1").header("ETag");
        String first = attemptOf(claim("pod-1"));
        claim("pod-2");
        Answer answer = post("/api/v1/batch", """
                {"writes":[
                  {"key":"%1$s","sequence":7,"action":"fine","state":1},
                  {"key":"%1$s","sequence":7,"action":"kept","ifNoneMatch":"*","state":2},
                  {"key":"%1$s","sequence":7,"action":"kept","ifMatch":%2$s,"state":3},
                  {"key":"%1$s","sequence":7,"action":"zombie","attempt":%3$s,"state":4},
                  {"key":"%1$s","sequence":7,"action":"nobody","delete":true},
                  {"key":"..","sequence":7,"action":"bad","state":5},
                  {"key":"%1$s","sequence":7,"action":"large","state":"%4$s"}
                ]}""".formatted(key(), etag, first, "x".repeat(1_048_576)));
        assertThat(answer.status()).isEqualTo(207);
        JsonNode results = answer.json().path("results");
        assertThat(List.of(0, 1, 2, 3, 4, 5, 6))
                .map(i -> results.path(i).path("status").intValue())
                .containsExactly(201, 412, 200, 409, 404, 400, 413);
        for (int i : List.of(1, 3, 4, 5, 6)) {
            JsonNode problem = results.path(i).path("problem");
            assertThat(problem.path("type").stringValue()).startsWith("/problems/");
            assertThat(problem.path("outcome").stringValue()).isEqualTo("not-persisted");
        }
        assertThat(api().get(state("kept")).text()).isEqualTo("3");
        assertThat(api().get(state("zombie")).status()).isEqualTo(404);
    }

    @Test
    void aMalformedBatchIsRefusedAsAWhole() {
        String good = "{\"key\":\"%s\",\"sequence\":7,\"action\":\"whole\",\"state\":1}".formatted(key());
        for (String body : List.of(
                "",
                "[]",
                "{}",
                "{\"writes\":{}}",
                "{\"writes\":[]}",
                "{\"writes\":[" + good + "],\"atomic\":true}",
                "{\"writes\":[" + good + ",7]}",
                "{\"writes\":[" + good + ",{\"key\":\"a\",\"sequence\":1,\"action\":\"b\"}]}",
                "{\"writes\":[" + good + ",{\"key\":\"a\",\"sequence\":\"1\",\"action\":\"b\",\"state\":1}]}",
                "{\"writes\":[" + good + ",{\"key\":\"a\",\"sequence\":1,\"action\":\"b\",\"state\":1,\"ttl\":1}]}",
                "{\"writes\":[" + good
                        + ",{\"key\":\"a\",\"sequence\":1,\"action\":\"b\",\"state\":1,\"delete\":true}]}",
                "{\"writes\":[" + good
                        + ",{\"key\":\"a\",\"sequence\":1,\"action\":\"b\",\"state\":1,\"ifMatch\":\"x\"}]}",
                "{\"writes\":[" + (good + ",").repeat(1_000) + good + "]}",
                "{\"writes\":[" + good)) {
            Answer answer = post("/api/v1/batch", body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.outcome()).isEqualTo("not-persisted");
        }
        assertThat(api().get(state("whole")).status()).isEqualTo(404);
        assertThat(api().read("/api/v1/batch").status()).isEqualTo(405);
    }

    @Test
    void aThousandWritesFitIntoABatch() {
        StringBuilder body = new StringBuilder("{\"writes\":[");
        for (int i = 0; i < 1_000; i++) {
            body.append(i == 0 ? "" : ",")
                    .append("{\"key\":\"%s-%d\",\"sequence\":1,\"action\":\"a\",\"state\":%d}"
                            .formatted(key(), i % 50, i));
        }
        Answer answer = post("/api/v1/batch", body.append("]}").toString());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("results")).hasSize(1_000);
        for (int i = 0; i < 50; i++) {
            assertThat(api().get(key() + "-" + i + "/1/a").text()).isEqualTo(Integer.toString(950 + i));
        }
    }

    @Test
    void aKeyIsOverdueUntilSomebodyWrites() {
        assertThat(api().put(state("slow") + "?expectWithin=PT1S", "1").status())
                .isEqualTo(201);
        assertThat(api().put(state("slow") + "?expectWithin=PT0.5S", "1").status())
                .isEqualTo(400);
        await().atMost(Duration.ofSeconds(20)).until(() -> overdueStates() == 1);
        assertThat(put("other", "2").status()).isEqualTo(201);
        await().atMost(Duration.ofSeconds(20)).until(() -> overdueStates() == 0);

        assertThat(post("/api/v1/attempts/" + key() + "?expectWithin=PT1S", "{}")
                        .status())
                .isEqualTo(201);
        await().atMost(Duration.ofSeconds(20)).until(() -> overdueStates() == 2);
        assertThat(listed("overdue=true&prefix=" + key())).containsExactly(key());
        long attempt =
                api().read("/api/v1/attempts/" + key()).json().path("attempt").longValue();
        assertThat(api().call("DELETE", "/api/v1/attempts/" + key() + "/" + attempt)
                        .status())
                .isEqualTo(204);
        await().atMost(Duration.ofSeconds(20)).until(() -> overdueStates() == 0);
    }

    private int overdueStates() {
        return api().read("/api/v1/states?overdue=true&key=" + key())
                .json()
                .path("items")
                .size();
    }
}
