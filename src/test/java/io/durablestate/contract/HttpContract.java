package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.ServiceProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The HTTP contract; the same on every kind of broker. Each test works on keys of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HttpContract {

    private static final String JSON = "application/json";

    private String key = "";

    @BeforeEach
    void chooseKey() {
        key = "key-" + UUID.randomUUID();
    }

    private ServiceProcess service;
    private Api api;

    /** Starts the Kafka that the service uses, if it is not to start its own; the settings that name it. */
    abstract Map<String, String> startKafka();

    /** Ends what {@link #startKafka} started. */
    void stopKafka() {}

    @BeforeAll
    void start() {
        service = ServiceProcess.start(startKafka());
        service.awaitReady(Duration.ofSeconds(60));
        api = new Api(service::baseUri);
    }

    @AfterAll
    void stop() {
        try {
            if (service != null) {
                service.close();
            }
        } finally {
            stopKafka();
        }
    }

    /** The instance under test: ready, with {@code durable-state.max-state-size} at its default. */
    final Api api() {
        return api;
    }

    final ServiceProcess service() {
        return service;
    }

    /** The key of this test. */
    final String key() {
        return key;
    }

    final String state(String action) {
        return key + "/7/" + action;
    }

    @Test
    void aNewStateIsCreatedAndReadBackByteForByte() {
        String body = "{\"step\" : \"charged\",\n \"amount\":12345678901234567890.10, \"huge\":1e400}";

        Answer put = api().put(state("charge-card"), body);

        assertThat(put.status()).isEqualTo(201);
        assertThat(put.header("Location")).isEqualTo("/api/v1/states/" + state("charge-card"));
        JsonNode receipt = put.json();
        assertThat(put.header("ETag")).isEqualTo('"' + receipt.path("revision").stringValue() + '"');
        assertThat(receipt.path("key").stringValue()).isEqualTo(key);
        assertThat(receipt.path("sequence").longValue()).isEqualTo(7);
        assertThat(receipt.path("action").stringValue()).isEqualTo("charge-card");
        assertThat(receipt.path("event").isNull()).isTrue();
        assertThat(receipt.path("revision").stringValue()).matches("\\d+-\\d+");
        assertThat(receipt.path("completed").booleanValue()).isFalse();
        assertThat(receipt.path("attempt").isNull()).isTrue();
        assertThat(receipt.path("size").intValue()).isEqualTo(body.length());
        assertThat(receipt.path("contentType").stringValue()).isEqualTo(JSON);
        assertThat(Instant.parse(receipt.path("timestamp").stringValue()))
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
        assertThat(receipt.path("writeId").stringValue()).isNotEmpty();

        Answer get = api().get(state("charge-card"));
        assertThat(get.status()).isEqualTo(200);
        assertThat(get.text()).isEqualTo(body);
        assertThat(get.header("Content-Type")).isEqualTo(JSON);
        assertThat(get.header("ETag")).isEqualTo(put.header("ETag"));
        assertThat(get.header("State-Completed")).isEqualTo("false");
        assertThat(get.header("State-Write-Id"))
                .isEqualTo(receipt.path("writeId").stringValue());
        assertThat(get.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(get.header("Content-Security-Policy")).isEqualTo("sandbox");
        assertThat(get.headers().firstValue("Last-Modified")).isPresent();
    }

    @Test
    void aSecondPutReplacesAndHasANewerRevision() {
        Answer first = api().put(state("replace"), "1");
        Answer second = api().put(state("replace") + "?completed=true", "2");

        assertThat(second.status()).isEqualTo(200);
        assertThat(second.headers().firstValue("Location")).isEmpty();
        assertThat(offset(second)).isGreaterThan(offset(first));
        Answer get = api().get(state("replace"));
        assertThat(get.text()).isEqualTo("2");
        assertThat(get.header("State-Completed")).isEqualTo("true");
    }

    private static long offset(Answer put) {
        String revision = put.json().path("revision").stringValue();
        return Long.parseLong(revision.substring(revision.indexOf('-') + 1));
    }

    @Test
    void aStateWithAnEventIsAnotherStateThanTheOneWithout() {
        api().put(state("events"), "\"without\"");
        api().put(state("events") + "/evt-1", "\"with\"");

        assertThat(api().get(state("events")).text()).isEqualTo("\"without\"");
        assertThat(api().get(state("events") + "/evt-1").text()).isEqualTo("\"with\"");
        assertThat(api().get(state("events") + "/evt-2").status()).isEqualTo(404);
    }

    @Test
    void minimalAnswersHaveTheHeadersOnly() {
        Answer put = api().put(
                        state("minimal"),
                        "1".getBytes(StandardCharsets.UTF_8),
                        "Prefer",
                        "respond-async, return=minimal");

        assertThat(put.status()).isEqualTo(204);
        assertThat(put.body()).isEmpty();
        assertThat(put.header("ETag")).isEqualTo(api().get(state("minimal")).header("ETag"));
        assertThat(put.header("Location")).isNotEmpty();
    }

    @Test
    void headTellsTheSizeWithoutTheBytes() {
        api().put(state("head"), "[1,2,3]");

        Answer head = api().call("HEAD", "/api/v1/states/" + state("head"));

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Length")).isEqualTo("7");
        assertThat(head.body()).isEmpty();
        assertThat(api().call("HEAD", "/api/v1/states/" + state("head-not")).status())
                .isEqualTo(404);
    }

    @Test
    void aReaderThatHasTheRevisionIsToldSo() {
        String etag = api().put(state("etag"), "1").header("ETag");

        assertThat(api().get(state("etag"), "If-None-Match", etag).status()).isEqualTo(304);
        assertThat(api().get(state("etag"), "If-None-Match", "\"9-9\", W/" + etag)
                        .status())
                .isEqualTo(304);
        assertThat(api().get(state("etag"), "If-None-Match", "\"9-9\"").status())
                .isEqualTo(200);
        String lastModified = api().get(state("etag")).header("Last-Modified");
        assertThat(lastModified).matches("[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");
        assertThat(api().get(state("etag"), "If-Modified-Since", lastModified).status())
                .isEqualTo(304);
        assertThat(api().get(state("etag"), "If-Modified-Since", "Thu, 01 Jan 2026 00:00:00 GMT")
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b",
                "a%b",
                "a;b",
                "a\\b",
                "a b",
                "a+b",
                "ключ",
                "\u0451",
                "\u0435\u0308",
                "\"quoted\"",
                "<img src=x onerror=alert(1)>",
                "😀",
                "..a",
                "~"
            })
    void everyLegalNameComesBackAsItWas(String name) {
        String path = Api.segment(key + name) + "/0/" + Api.segment(name) + "/" + Api.segment(name);

        Answer put = api().put(path, "{\"n\":1}");

        assertThat(put.status()).isEqualTo(201);
        assertThat(put.json().path("key").stringValue()).isEqualTo(key + name);
        assertThat(put.json().path("action").stringValue()).isEqualTo(name);
        assertThat(put.json().path("event").stringValue()).isEqualTo(name);
        assertThat(api().get(put.header("Location").substring("/api/v1/states/".length()))
                        .text())
                .isEqualTo("{\"n\":1}");
        Answer list = api().read("/api/v1/states?key=" + Api.segment(key + name));
        assertThat(list.json().path("items").get(0).path("action").stringValue())
                .isEqualTo(name);
    }

    @Test
    void composedAndDecomposedLettersAreTwoKeys() {
        api().put(Api.segment(key + "\u0451") + "/0/a", "\"composed\"");
        api().put(Api.segment(key + "\u0435\u0308") + "/0/a", "\"decomposed\"");

        assertThat(api().get(Api.segment(key + "\u0451") + "/0/a").text()).isEqualTo("\"composed\"");
        assertThat(api().get(Api.segment(key + "\u0435\u0308") + "/0/a").text()).isEqualTo("\"decomposed\"");
    }

    @Test
    void aNameOf255BytesIsLegalAndOneOf256IsNot() {
        String longest = "ж".repeat(127) + "x";

        assertThat(api().put(Api.segment(longest) + "/0/" + Api.segment(longest), "1")
                        .isSuccess())
                .isTrue();
        Answer tooLong = api().put(Api.segment("ж".repeat(128)) + "/0/a", "1");
        assertThat(tooLong.status()).isEqualTo(400);
        assertThat(tooLong.problem()).isEqualTo("invalid-key");
        assertThat(tooLong.json().path("segment").stringValue()).isEqualTo("key");
        assertThat(tooLong.json().path("detail").stringValue()).contains("256 bytes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%FF/7/a",
                "k/7/%FF",
                "k/7/a/%C3%28",
                "/7/a",
                "k//a",
                "k/7/",
                "k/7/a/",
                "k/7",
                "k",
                "k/7/a/b/c",
                "./7/a",
                "%2E%2E/7/a",
                "k/-1/a",
                "k/+1/a",
                "k/x/a",
                "k/9223372036854775808/a",
                "k/7/%0A",
                "k/7/%7F",
                "k/7/%C2%85",
                "k/7/a;b",
                "k/7/a%00",
                "k/7/%ED%A0%80"
            })
    void anIllegalNameIsRefusedAndSaysWhichPart(String path) {
        for (String method : List.of("PUT", "GET", "DELETE")) {
            Answer answer = api().send(method, "/api/v1/states/" + path, BodyPublishers.ofString("1"));
            assertThat(answer.status()).as(method).isEqualTo(400);
            assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
            assertThat(answer.problem()).as(method + " " + answer).isEqualTo("invalid-key");
            assertThat(answer.json().path("segment").stringValue()).isNotEmpty();
            assertThat(answer.json().path("allowed").stringValue()).isNotEmpty();
            assertThat(answer.outcome()).isEqualTo(method.equals("GET") ? "" : "not-persisted");
        }
    }

    @Test
    void sequencesGoFromZeroToTheLargestLong() {
        for (String sequence : List.of("0", "9223372036854775807")) {
            Answer put = api().put(key + "/" + sequence + "/range", "1");
            assertThat(put.json().path("sequence").longValue()).isEqualTo(Long.parseLong(sequence));
        }
    }

    @Test
    void contentTypesAreKept() {
        byte[] bytes = {0, 1, (byte) 0xFF, 10};
        api().put(state("octets"), bytes, "Content-Type", "application/octet-stream");
        api().put(state("text"), "héllo".getBytes(StandardCharsets.UTF_8), "Content-Type", "text/plain");
        api().put(
                        state("charset"),
                        "{}".getBytes(StandardCharsets.UTF_8),
                        "Content-Type",
                        "application/json; charset=utf-8");
        api().put(state("default"), "{}".getBytes(StandardCharsets.UTF_8));
        api().put(
                        state("form"),
                        "a=1&b=2".getBytes(StandardCharsets.UTF_8),
                        "Content-Type",
                        "application/x-www-form-urlencoded");
        api().put(
                        state("multipart"),
                        "--x--".getBytes(StandardCharsets.UTF_8),
                        "Content-Type",
                        "multipart/form-data; boundary=x");

        assertThat(api().get(state("octets")).body()).isEqualTo(bytes);
        assertThat(api().get(state("octets")).header("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(api().get(state("text")).text()).isEqualTo("héllo");
        assertThat(api().get(state("text")).header("Content-Type")).isEqualTo("text/plain");
        assertThat(api().get(state("charset")).header("Content-Type")).startsWith("application/json");
        assertThat(api().get(state("default")).header("Content-Type")).isEqualTo("application/json");
        assertThat(api().get(state("form")).text()).isEqualTo("a=1&b=2");
        assertThat(api().get(state("multipart")).text()).isEqualTo("--x--");
    }

    @Test
    void aBodyThatIsNotTheJsonItClaimsToBeIsRefusedWithItsPlace() {
        Answer answer = api().put(state("malformed"), "{\"a\":1,\n \"b\":}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.problem()).isEqualTo("malformed-json");
        assertThat(answer.json().path("line").intValue()).isEqualTo(2);
        assertThat(answer.json().path("column").intValue()).isPositive();
        assertThat(answer.outcome()).isEqualTo("not-persisted");
        assertThat(api().get(state("malformed")).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{} {}", "nul", "01", "'a'", "{\"a\":1,}", "\uFEFF{}", " "})
    void whatIsNotOneJsonValueIsRefused(String body) {
        assertThat(api().put(state("not-json"), body).problem()).isEqualTo("malformed-json");
    }

    @Test
    void nestingIsLimitedToAThousand() {
        String deep = "[".repeat(1000) + "]".repeat(1000);

        assertThat(api().put(state("deep"), deep).status()).isEqualTo(201);
        assertThat(api().put(state("deeper"), "[" + deep + "]").problem()).isEqualTo("malformed-json");
    }

    @Test
    void anEmptyBodyIsRefused() {
        Answer answer = api().put(state("empty"), new byte[0]);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.problem()).isEqualTo("empty-state");
    }

    @Test
    void anEncodedBodyIsRefused() {
        Answer answer = api().put(state("gzip"), new byte[] {1}, "Content-Encoding", "gzip");

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.problem()).isEqualTo("unsupported-encoding");
    }

    @Test
    void theLargestStateIsStoredAndALargerOneRefusedEvenWhenItsLengthIsNotDeclared() {
        byte[] largest = new byte[1024 * 1024];
        new Random(1).nextBytes(largest);
        byte[] larger = Arrays.copyOf(largest, largest.length + 1);

        assertThat(api().put(state("large"), largest, "Content-Type", "application/octet-stream")
                        .status())
                .isEqualTo(201);
        assertThat(api().get(state("large")).body()).isEqualTo(largest);
        for (var body : List.of(
                BodyPublishers.ofByteArray(larger), BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(larger)))) {
            Answer answer = api().send(
                            "PUT",
                            "/api/v1/states/" + state("larger"),
                            body,
                            "Content-Type",
                            "application/octet-stream");
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.problem()).isEqualTo("state-too-large");
            assertThat(answer.json().path("limit").longValue()).isEqualTo(largest.length);
            assertThat(answer.json().path("detail").stringValue()).contains("durable-state.max-state-size");
            assertThat(answer.outcome()).isEqualTo("not-persisted");
        }
        assertThat(api().get(state("larger")).status()).isEqualTo(404);
    }

    @Test
    void whatIsNotKnownIsRefusedAndNeverIgnored() {
        api().put(state("conditions"), "1");
        byte[] two = "2".getBytes(StandardCharsets.UTF_8);
        for (String header : List.of("If-Unmodified-Since", "Content-Range")) {
            Answer put = api().put(state("conditions"), two, header, "\"0-0\"");
            assertThat(put.status()).as(header).isEqualTo(400);
            assertThat(put.problem()).isEqualTo("invalid-parameter");
            assertThat(put.json().path("detail").stringValue()).contains(header);
            assertThat(api().delete(state("conditions"), header, "\"0-0\"").status())
                    .as(header)
                    .isEqualTo(400);
        }
        for (String[] header : List.of(
                new String[] {"If-Match", "*"},
                new String[] {"If-Match", "0-0"},
                new String[] {"If-Match", "W/\"0-0\""},
                new String[] {"If-Match", "\"0-0\", \"0-1\""},
                new String[] {"If-Match", "\"latest\""},
                new String[] {"If-None-Match", "\"0-0\""},
                new String[] {"Attempt", "-1"},
                new String[] {"Attempt", "01"},
                new String[] {"Attempt", "first"},
                new String[] {"Idempotency-Key", "two words"},
                new String[] {"Idempotency-Key", "k".repeat(129)})) {
            Answer put = api().put(state("conditions"), two, header);
            assertThat(put.status()).as("%s: %s", (Object[]) header).isEqualTo(400);
            assertThat(put.json().path("parameter").stringValue()).isEqualTo(header[0]);
            assertThat(put.outcome()).isEqualTo("not-persisted");
            assertThat(api().delete(state("conditions"), header).status()).isEqualTo(400);
        }
        assertThat(api().put(state("conditions"), two, "If-Match", "\"0-0\"", "If-None-Match", "*")
                        .status())
                .isEqualTo(400);
        assertThat(api().delete(state("conditions"), "If-None-Match", "*").status())
                .isEqualTo(400);
        for (String header : List.of("If-Match", "If-None-Match", "Attempt", "Idempotency-Key")) {
            assertThat(api().call("DELETE", "/api/v1/states?throughSequence=7&key=" + key, header, "\"0-0\"")
                            .status())
                    .as(header)
                    .isEqualTo(400);
        }
        for (String header : List.of("If-Match", "If-Unmodified-Since", "Attempt", "Idempotency-Key")) {
            assertThat(api().read("/api/v1/states?key=" + key, header, "1").status())
                    .as(header)
                    .isEqualTo(400);
        }
        for (String parameter : List.of(
                "consistency=weak", "atLeast=0", "complete=true", "completed=yes", "completed=", "expectWithin=90")) {
            assertThat(api().get(state("conditions") + "?" + parameter).status())
                    .as(parameter)
                    .isEqualTo(400);
            assertThat(api().put(state("conditions") + "?" + parameter, "2").status())
                    .as(parameter)
                    .isEqualTo(400);
        }
        assertThat(api().get(state("conditions")).text()).isEqualTo("1");
    }

    @Test
    void aDeletedStateIsGoneAndCanBePutAgain() {
        api().put(state("delete"), "1");

        assertThat(api().delete(state("delete")).status()).isEqualTo(204);
        assertThat(api().get(state("delete")).status()).isEqualTo(404);
        Answer again = api().delete(state("delete"));
        assertThat(again.status()).isEqualTo(404);
        assertThat(again.problem()).isEqualTo("state-not-found");
        assertThat(again.outcome()).isEqualTo("not-persisted");
        assertThat(api().put(state("delete"), "2").status()).isEqualTo(201);
    }

    @Test
    void aListIsOrderedFilteredAndPaged() {
        for (int sequence = 0; sequence < 12; sequence++) {
            api().put(key + "/" + sequence + "/list-b?completed=" + (sequence % 2 == 0), "{\"n\":" + sequence + "}");
            api().put(
                            key + "/" + sequence + "/list-a",
                            "text".getBytes(StandardCharsets.UTF_8),
                            "Content-Type",
                            "text/plain");
        }
        String range = "/api/v1/states?key=" + key + "&sequenceFrom=2&sequenceTo=9";

        List<String> names = new ArrayList<>();
        for (JsonNode item : pages(range + "&limit=3")) {
            names.add(item.path("sequence").longValue() + item.path("action").stringValue());
        }

        assertThat(names)
                .containsExactly(
                        "2list-a", "2list-b", "3list-a", "3list-b", "4list-a", "4list-b", "5list-a", "5list-b",
                        "6list-a", "6list-b", "7list-a", "7list-b", "8list-a", "8list-b", "9list-a", "9list-b");
        assertThat(pages(range + "&action=list-b&completed=true&limit=1")).hasSize(4);
        assertThat(pages(range + "&cached=true&limit=1000")).hasSize(16);
        assertThat(pages(range + "&attempt=5")).isEmpty();
        assertThat(pages("/api/v1/states?prefix=" + key.substring(0, key.length() - 1) + "&action=list-a"))
                .hasSize(12);
        JsonNode withBody = pages(range + "&body=true&limit=2").get(1);
        assertThat(withBody.path("state").toString()).isEqualTo("{\"n\":2}");
        JsonNode binary = pages(range + "&body=true&limit=2").get(0);
        assertThat(binary.path("stateBase64").stringValue()).isEqualTo("dGV4dA==");
        assertThat(binary.has("state")).isFalse();
    }

    private List<JsonNode> pages(String path) {
        List<JsonNode> items = new ArrayList<>();
        String cursor = "";
        do {
            Answer page = api().read(path + cursor);
            assertThat(page.status()).isEqualTo(200);
            page.json().path("items").forEach(items::add);
            JsonNode next = page.json().path("next");
            cursor = next.isNull() ? "" : "&cursor=" + next.stringValue();
        } while (!cursor.isEmpty());
        return items;
    }

    @Test
    void aListShowsNumbersAsTheyCameIn() {
        api().put(state("numbers"), "{\"a\":12345678901234567890.10,\"b\":1e400}");

        assertThat(api().read("/api/v1/states?body=true&action=numbers&key=" + key)
                        .text())
                .contains("{\"a\":12345678901234567890.10,\"b\":1e400}");
    }

    @Test
    void aCursorNeitherMissesNorRepeatsWhileStatesComeAndGo() {
        Random random = new Random(42);
        Set<String> staying = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            String action = "stay-%03d".formatted(random.nextInt(1000));
            staying.add(action);
            api().put(state(action), "1");
        }
        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            Answer page = api().read("/api/v1/states?key=" + key + "&sequenceFrom=7&limit=7" + cursor);
            page.json()
                    .path("items")
                    .forEach(item -> seen.add(item.path("action").stringValue()));
            JsonNode next = page.json().path("next");
            cursor = next.isNull() ? "" : "&cursor=" + next.stringValue();
            String comer = state("stay-%03d-x".formatted(random.nextInt(1000)));
            api().put(comer, "1");
            if (random.nextBoolean()) {
                api().delete(comer);
            }
        } while (!cursor.isEmpty());

        assertThat(seen).doesNotHaveDuplicates().containsAll(staying);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=0",
                "limit=1001",
                "limit=x",
                "cursor=%21",
                "cursor=AAAA",
                "sequenceFrom=-1",
                "completed=maybe",
                "kye=a",
                "key=%FF",
                "key=",
                "key=a&key=b",
                "prefix=%FF"
            })
    void aListParameterThatIsNotLegalIsRefusedByName(String parameter) {
        Answer answer = api().read("/api/v1/states?" + parameter);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.problem()).isEqualTo("invalid-parameter");
        assertThat(parameter).startsWith(answer.json().path("parameter").stringValue());
    }

    @Test
    void aPruneDeletesThroughASequence() {
        for (int sequence = 1; sequence <= 5; sequence++) {
            api().put(key + "/" + sequence + "/prune?completed=" + (sequence != 2), "1");
        }
        String prune = "/api/v1/states?key=" + key + "&throughSequence=4";

        assertThat(api().call("DELETE", prune + "&dryRun=true")
                        .json()
                        .path("pruned")
                        .intValue())
                .isEqualTo(4);
        Answer completed = api().call("DELETE", prune + "&completedOnly=true");
        assertThat(completed.text())
                .isEqualTo("{\"key\":\"%s\",\"throughSequence\":4,\"pruned\":3,\"failed\":0}".formatted(key));
        assertThat(api().get(key + "/2/prune").status()).isEqualTo(200);
        assertThat(api().call("DELETE", prune).json().path("pruned").intValue()).isEqualTo(1);
        assertThat(api().call("DELETE", prune).json().path("pruned").intValue()).isZero();
        assertThat(api().get(key + "/5/prune").status()).isEqualTo(200);
        assertThat(api().call("DELETE", "/api/v1/states?key=" + key).problem()).isEqualTo("invalid-parameter");
        assertThat(api().call("DELETE", "/api/v1/states?throughSequence=1").problem())
                .isEqualTo("invalid-parameter");
    }

    @Test
    void failuresAreListedAndOneThatIsNotThereIsSaidSo() {
        assertThat(api().read("/api/v1/failures?outcome=unknown&operation=put&limit=10")
                        .json()
                        .path("items")
                        .isArray())
                .isTrue();
        assertThat(api().read("/api/v1/failures/causes").json().isArray()).isTrue();
        Answer none = api().read("/api/v1/failures/none");
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.problem()).isEqualTo("failure-not-found");
        assertThat(api().read("/api/v1/failures?outcome=lost").problem()).isEqualTo("invalid-parameter");
    }

    @Test
    void statusAndDurabilityTellHowThingsAre() {
        api().put(state("status"), "1");

        JsonNode durability = api().read("/api/v1/durability").json();
        assertThat(durability.path("verdict").stringValue()).isIn("replicated", "single-copy");
        assertThat(durability.path("acks").stringValue()).isEqualTo("all");
        assertThat(durability.path("idempotence").booleanValue()).isTrue();
        assertThat(durability.path("cleanupPolicy").stringValue()).isEqualTo("compact");
        assertThat(durability.path("partitions")).isNotEmpty();
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            JsonNode status = api().read("/api/v1/status").json();
            assertThat(status.path("phase").stringValue()).isEqualTo("ready");
            assertThat(status.path("states").longValue()).isPositive();
            assertThat(status.path("lanes").intValue()).isPositive();
            assertThat(status.path("readerLag").longValue()).isZero();
        });
    }

    @Test
    void healthAndMetricsAreServedWithoutAnyKey() {
        api().put(state("metrics"), "1");

        assertThat(api().read("/actuator/health/liveness").status()).isEqualTo(200);
        assertThat(api().read("/actuator/health/readiness").status()).isEqualTo(200);
        String metrics = api().read("/actuator/prometheus").text();
        assertThat(metrics)
                .contains("durable_state_write_seconds_bucket{")
                .contains("phase=\"acknowledgement\"")
                .contains("outcome=\"acknowledged\"")
                .contains("durable_state_states ")
                .contains("durable_state_reader_lag ")
                .contains("durable_state_lanes ")
                .contains("durable_state_cache_bodies ")
                .doesNotContain(key);
    }

    @Test
    void everyErrorIsAProblem() {
        List<Answer> answers = List.of(
                api().read("/nowhere"),
                api().call("POST", "/api/v1/states/k/1/a"),
                api().call("PATCH", "/api/v1/states"),
                api().read("/api/v1/states/a%2F%FF/1/x"));

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
            assertThat(answer.json().path("status").intValue()).isEqualTo(answer.status());
        });
        assertThat(answers.stream().map(Answer::status)).containsExactly(404, 405, 405, 400);
    }

    @Test
    void everyOperationIsDescribedWithItsNamesItsProblemsAndAnExample() {
        JsonNode openApi = api().read("/v3/api-docs").json();

        List<String> operations = new ArrayList<>();
        openApi.path("paths")
                .propertyStream()
                .forEach(path -> path.getValue().propertyStream().forEach(operation -> {
                    String name = operation.getKey() + " " + path.getKey();
                    operations.add(operation.getValue().path("operationId").stringValue());
                    assertDescribed(name, path.getKey(), operation.getValue());
                }));
        assertThat(operations)
                .doesNotHaveDuplicates()
                .contains(
                        "putState",
                        "putStateOfEvent",
                        "getState",
                        "deleteState",
                        "listStates",
                        "writeBatch",
                        "claimKey",
                        "getAttempt",
                        "closeAttempt");
        assertThat(openApi.findValuesAsString("$ref"))
                .contains("#/components/schemas/Problem")
                .allSatisfy(ref -> assertThat(openApi.at(ref.substring(1)).isObject())
                        .as(ref)
                        .isTrue());
        assertThat(namesOf(openApi, "/api/v1/states/{key}/{sequence}/{action}", "put", "query"))
                .containsExactlyInAnyOrder("completed", "expectWithin");
        assertThat(namesOf(openApi, "/api/v1/states/{key}/{sequence}/{action}", "get", "query"))
                .containsExactlyInAnyOrder("consistency", "atLeast");
        assertThat(namesOf(openApi, "/api/v1/states/{key}/{sequence}/{action}", "put", "header"))
                .containsExactlyInAnyOrder("If-Match", "If-None-Match", "Attempt", "Idempotency-Key", "Prefer");
        assertThat(namesOf(openApi, "/api/v1/attempts", "get", "query"))
                .containsExactlyInAnyOrder("prefix", "open", "overdue", "limit", "cursor");
        assertThat(namesOf(openApi, "/api/v1/failures", "get", "query"))
                .containsExactlyInAnyOrder("key", "outcome", "cause", "operation", "limit", "cursor");
        assertThat(namesOf(openApi, "/api/v1/events", "get", "query")).containsExactlyInAnyOrder("key", "prefix");
    }

    private static void assertDescribed(String name, String path, JsonNode operation) {
        List<String> inPath = Pattern.compile("\\{(\\w+)}")
                .matcher(path)
                .results()
                .map(result -> result.group(1))
                .toList();
        assertThat(operation
                        .path("parameters")
                        .valueStream()
                        .filter(parameter -> parameter.path("in").stringValue().equals("path"))
                        .map(parameter -> parameter.path("name").stringValue()))
                .as(name)
                .containsExactlyElementsOf(inPath);
        assertThat(operation.findValues("example").isEmpty()
                        && operation.findValues("examples").isEmpty())
                .as("%s has no example", name)
                .isFalse();
        assertThat(operation.path("responses").propertyNames()).as(name).contains("400", "500");
        operation
                .path("responses")
                .propertyStream()
                .filter(response -> response.getKey().startsWith("2"))
                .forEach(response -> response.getValue()
                        .path("content")
                        .propertyStream()
                        .forEach(content -> assertThat(content.getValue().has("example")
                                        || content.getValue().has("examples"))
                                .as("%s %s has no example", name, response.getKey())
                                .isTrue()));
    }

    private static List<String> namesOf(JsonNode openApi, String path, String method, String in) {
        return openApi.path("paths")
                .path(path)
                .path(method)
                .path("parameters")
                .valueStream()
                .filter(parameter -> parameter.path("in").stringValue().equals(in))
                .map(parameter -> parameter.path("name").stringValue())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/status, getStatus",
        "/api/v1/durability, getDurability",
        "/api/v1/states?limit=1&body=true, listStates"
    })
    void theExamplesLookLikeTheAnswers(String path, String operation) throws IOException {
        api().put(state("example"), "{}");

        Set<String> names = names("", api().read(path).json());

        try (InputStream example = HttpContract.class.getResourceAsStream("/openapi/examples/" + operation + ".json")) {
            assertThat(names("", JsonMapper.shared().readTree(example))).isEqualTo(names);
        }
    }

    /** The names of all properties, but those within a state. */
    private static Set<String> names(String at, JsonNode node) {
        Set<String> names = new TreeSet<>();
        node.propertyStream().forEach(property -> {
            String name = at + "/" + property.getKey();
            names.add(name);
            if (!property.getKey().equals("state")) {
                names.addAll(names(name, property.getValue()));
            }
        });
        node.valueStream().filter(value -> node.isArray()).forEach(value -> names.addAll(names(at, value)));
        return names;
    }

    @Test
    void problemsHavePagesAndTheApiIsDescribed() {
        String type = api().get(state("no-such")).json().path("type").stringValue();

        Answer page = api().read(type);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.text()).contains("There is no such state");
        assertThat(page.header("Content-Security-Policy")).doesNotContain("unsafe");
        assertThat(api().read("/problems/").text()).contains("state-not-found", "ack-timeout");
        Answer none = api().read("/problems/%3Cb%3E");
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.header("Content-Type")).startsWith("text/html");
        JsonNode openApi = api().read("/v3/api-docs").json();
        assertThat(openApi.path("openapi").stringValue()).startsWith("3.1");
        assertThat(openApi.path("paths").propertyNames())
                .contains(
                        "/api/v1/states/{key}/{sequence}/{action}",
                        "/api/v1/states",
                        "/api/v1/failures",
                        "/api/v1/status");
        assertThat(api().read("/swagger-ui/index.html").status()).isEqualTo(200);
    }

    @Test
    void theConsoleIsServedUnderAStrictPolicyAndItsFilesAreKeptByBrowsers() {
        Answer document = api().read("/console/");
        assertThat(document.status()).isEqualTo(200);
        assertThat(document.header("Content-Type")).startsWith("text/html");
        assertThat(document.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(document.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "http:", "https:", "*");
        assertThat(api().read("/console/states").body()).isEqualTo(document.body());

        List<String> files = Pattern.compile("\\./assets/[^\"]+")
                .matcher(document.text())
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(files).hasSizeGreaterThanOrEqualTo(3);
        assertThat(files).allSatisfy(file -> {
            Answer asset = api().read("/console/" + file.substring(2));
            assertThat(asset.status()).isEqualTo(200);
            assertThat(asset.header("Cache-Control")).contains("max-age=31536000", "immutable");
        });
        assertThat(api().read("/console/assets/no-such.js").status()).isEqualTo(404);

        Answer redirect = api().read("/console");
        assertThat(redirect.status()).isEqualTo(308);
        assertThat(redirect.header("Location")).isEqualTo("console/");
    }

    @Test
    void theTrendTellsOfTheLastMinutesAndOnlyWhatIsNewWhenAsked() {
        api().put(state("in-the-trend"), "1");

        JsonNode samples = await().atMost(Duration.ofSeconds(30))
                .until(() -> api().read("/api/v1/trend").json().path("samples"), all -> all.size() >= 2);
        JsonNode first = samples.get(0);
        assertThat(first.path("writesPerSecond").isNumber()).isTrue();
        assertThat(first.propertyNames())
                .containsExactlyInAnyOrder("time", "writesPerSecond", "failuresPerSecond", "readerLag", "putMillis");
        JsonNode newer = api().read("/api/v1/trend?since=" + first.path("time").stringValue())
                .json()
                .path("samples");
        assertThat(newer.get(0).path("time")).isEqualTo(samples.get(1).path("time"));
        assertThat(api().read("/api/v1/trend?since=yesterday").problem()).isEqualTo("invalid-parameter");
    }
}
