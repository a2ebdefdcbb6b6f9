package io.durablestate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.durablestate.state.Attempt;
import io.durablestate.state.ClaimRecord;
import io.durablestate.state.ClaimRecord.Claim;
import io.durablestate.state.Deletion;
import io.durablestate.state.FoldedState;
import io.durablestate.state.Restore;
import io.durablestate.state.Revision;
import io.durablestate.state.Seeded;
import io.durablestate.state.StateDocument;
import io.durablestate.state.StateKey;
import io.durablestate.state.StateRecord;
import io.durablestate.state.StateRecord.Expectation;
import io.durablestate.state.StateVersion;
import io.durablestate.state.Terms;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCodecTests {

    private static final StateKey KEY = StateKey.of("order-42", 7, "charge-card");
    private static final byte[] STATE_KEY = utf8("[\"s\",\"order-42\",7,\"charge-card\"]");
    private static final byte[] CLAIM_KEY = utf8("[\"a\",\"order-42\"]");
    private static final byte[] BODY = utf8("{\"amount\":12.50}");

    private final RecordCodec codec = new RecordCodec("durable-state", "pod-7");

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A record as a consumer hands it out, at offset 1042 of partition 3. */
    private static ConsumerRecord<byte[], byte[]> read(byte[] key, byte[] value, Headers headers) {
        return new ConsumerRecord<>(
                "durable-state",
                3,
                1042,
                1_700_000_000_123L,
                TimestampType.CREATE_TIME,
                0,
                0,
                key,
                value,
                headers,
                Optional.empty());
    }

    private static ConsumerRecord<byte[], byte[]> read(byte[] key, byte[] value, String... headersAndValues) {
        Headers headers = new org.apache.kafka.common.header.internals.RecordHeaders();
        for (int i = 0; i < headersAndValues.length; i += 2) {
            headers.add(headersAndValues[i], utf8(headersAndValues[i + 1]));
        }
        return read(key, value, headers);
    }

    private static ConsumerRecord<byte[], byte[]> read(ProducerRecord<byte[], byte[]> written) {
        return read(written.key(), written.value(), written.headers());
    }

    private static Map<String, String> headersOf(ProducerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (Header header : record.headers()) {
            headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
        }
        return headers;
    }

    @Test
    void writesADocumentAsItIsWithWhatIsToldOfItInHeaders() {
        ProducerRecord<byte[], byte[]> record = codec.encode(
                3, KEY, new StateDocument("application/json; charset=utf-8", BODY, false), Terms.NONE, "w-1");

        assertThat(record.topic()).isEqualTo("durable-state");
        assertThat(record.partition()).isEqualTo(3);
        assertThat(record.key()).isEqualTo(STATE_KEY);
        assertThat(record.value()).isSameAs(BODY);
        assertThat(record.timestamp()).isNull();
        assertThat(headersOf(record))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "ds.v", "1",
                        "ds.write-id", "w-1",
                        "ds.content-type", "application/json; charset=utf-8",
                        "ds.instance", "pod-7"));
    }

    @Test
    void marksADocumentThatIsCompleted() {
        ProducerRecord<byte[], byte[]> record =
                codec.encode(3, KEY, new StateDocument("text/plain", BODY, true), Terms.NONE, "w-1");
        assertThat(headersOf(record)).containsEntry("ds.completed", "true");
    }

    @Test
    void writesADeletionWithoutValue() {
        ProducerRecord<byte[], byte[]> record = codec.encode(3, KEY, null, Terms.NONE, "w-1");

        assertThat(record.key()).isEqualTo(STATE_KEY);
        assertThat(record.value()).isNull();
        assertThat(headersOf(record))
                .containsExactlyInAnyOrderEntriesOf(Map.of("ds.v", "1", "ds.write-id", "w-1", "ds.instance", "pod-7"));
    }

    @Test
    void readsADocumentAsItWasWritten() {
        Seeded.run(random -> {
            for (int i = 0; i < 500; i++) {
                StateKey key = Seeded.stateKey(random);
                byte[] body = new byte[1 + random.nextInt(100)];
                random.nextBytes(body);
                String type = random.nextBoolean() ? "application/json" : "text/plain;n=" + random.nextInt();
                boolean completed = random.nextBoolean();
                String writeId = "w-" + random.nextLong();

                StateRecord record = (StateRecord) codec.decode(
                        read(codec.encode(3, key, new StateDocument(type, body, completed), Terms.NONE, writeId)));

                StateVersion version = new StateVersion(
                        3, 1042, 1042, 1_700_000_000_123L, body.length, completed, null, type, writeId);
                assertThat(record).isEqualTo(new StateRecord(key, version, writeId, null, null, null));
            }
        });
    }

    @Test
    void readsADeletionAsItWasWritten() throws NotUnderstoodException {
        assertThat(codec.decode(read(codec.encode(3, KEY, null, Terms.NONE, "w-1"))))
                .isEqualTo(new StateRecord(KEY, new Deletion(1042, 1_700_000_000_123L), "w-1", null, null, null));
    }

    @Test
    void readsTheAttemptAndTheExpectationOfAWriter() throws NotUnderstoodException {
        StateRecord onRevision = (StateRecord) codec.decode(
                read(STATE_KEY, BODY, "ds.v", "1", "ds.write-id", "w-1", "ds.attempt", "17", "ds.if-revision", "3-99"));
        assertThat(onRevision.attempt()).isEqualTo(17);
        assertThat(onRevision.ifRevision()).isEqualTo(new StateRecord.Expectation(new Revision(3, 99)));
        assertThat(((StateVersion) onRevision.content()).attempt()).isEqualTo(17);

        StateRecord onNothing = (StateRecord)
                codec.decode(read(STATE_KEY, BODY, "ds.v", "1", "ds.write-id", "w-1", "ds.if-revision", "none"));
        assertThat(onNothing.ifRevision()).isEqualTo(new StateRecord.Expectation(null));
        assertThat(onNothing.attempt()).isNull();
    }

    @Test
    void readsARestoreOfAState() throws NotUnderstoodException {
        StateRecord restore = (StateRecord) codec.decode(read(
                STATE_KEY,
                BODY,
                "ds.v",
                "1",
                "ds.write-id",
                "w-0",
                "ds.content-type",
                "text/plain",
                "ds.completed",
                "true",
                "ds.restores",
                "3-1000",
                "ds.as-of",
                "1041"));

        assertThat(restore.asOf()).isEqualTo(1041);
        StateVersion version = (StateVersion) restore.content();
        assertThat(version.revision()).isEqualTo(new Revision(3, 1000));
        assertThat(version.offset()).isEqualTo(1042);
        assertThat(version.writeId()).isEqualTo("w-0");
        assertThat(version.contentType()).isEqualTo("text/plain");
        assertThat(version.completed()).isTrue();
    }

    @Test
    void readsARestoreOfADeletion() throws NotUnderstoodException {
        StateRecord restore = (StateRecord) codec.decode(
                read(STATE_KEY, null, "ds.v", "1", "ds.write-id", "w-0", "ds.restores", "none", "ds.as-of", "1041"));
        assertThat(restore.asOf()).isEqualTo(1041);
        assertThat(restore.content()).isEqualTo(new Deletion(1042, 1_700_000_000_123L));
    }

    @Test
    void doesNotUnderstandARestoreWhoseHalvesDoNotAgree() {
        assertNotUnderstood(read(STATE_KEY, BODY, "ds.v", "1", "ds.restores", "3-1000"), "ds.as-of");
        assertNotUnderstood(read(STATE_KEY, BODY, "ds.v", "1", "ds.as-of", "1041"), "ds.restores");
        assertNotUnderstood(read(STATE_KEY, BODY, "ds.v", "1", "ds.restores", "none", "ds.as-of", "9"), "ds.restores");
        assertNotUnderstood(read(STATE_KEY, null, "ds.v", "1", "ds.restores", "3-1", "ds.as-of", "9"), "ds.restores");
        assertNotUnderstood(read(STATE_KEY, BODY, "ds.v", "1", "ds.restores", "2-1", "ds.as-of", "9"), "partition");
    }

    @Test
    void knowsARecordByItsStateAndItsWrite() {
        ConsumerRecord<byte[], byte[]> record = read(STATE_KEY, BODY, "ds.v", "1", "ds.write-id", "w-1");
        StateKey state = StateKey.of("order-42", 7, "charge-card");
        assertThat(codec.isOf(record, state, "w-1")).isTrue();
        assertThat(codec.isOf(record, state, "w-2")).isFalse();
        assertThat(codec.isOf(record, StateKey.of("order-43", 7, "charge-card"), "w-1"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "ds.attempt, one",
        "ds.attempt, ''",
        "ds.attempt, 1.5",
        "ds.attempt, 9223372036854775808",
        "ds.if-revision, ''",
        "ds.if-revision, 1042",
        "ds.if-revision, NONE",
        "ds.if-revision, 03-1"
    })
    void doesNotUnderstandAHeaderThatIsNotWhatItMustBe(String header, String value) {
        assertNotUnderstood(read(STATE_KEY, BODY, "ds.v", "1", header, value), "header");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "", "01", "1 ", "one", "1\u0000"})
    void doesNotUnderstandAnotherVersion(String version) {
        assertNotUnderstood(read(STATE_KEY, BODY, "ds.v", version), "the header ds.v is not 1");
        assertNotUnderstood(read(CLAIM_KEY, utf8("{}"), "ds.v", version), "the header ds.v is not 1");
    }

    @Test
    void doesNotUnderstandARecordWithoutVersion() {
        assertNotUnderstood(read(STATE_KEY, BODY), "the header ds.v is missing");
        Headers headers = new org.apache.kafka.common.header.internals.RecordHeaders(
                List.of(new RecordHeader("ds.v", (byte[]) null)));
        assertNotUnderstood(read(STATE_KEY, BODY, headers), "the header ds.v is missing");
    }

    @Test
    void doesNotUnderstandAKeyThatIsNone() {
        assertNotUnderstood(read(utf8("order-42"), BODY, "ds.v", "1"), "the Kafka key is");
        assertNotUnderstood(read(null, BODY, "ds.v", "1"), "the Kafka key is missing");
    }

    @Test
    void takesTheLastOfAHeaderThatIsThereTwice() throws NotUnderstoodException {
        StateRecord record = (StateRecord)
                codec.decode(read(STATE_KEY, BODY, "ds.v", "2", "ds.v", "1", "ds.write-id", "a", "ds.write-id", "b"));
        assertThat(record.writeId()).isEqualTo("b");
    }

    @Test
    void makesDoWithoutTheHeadersThatOnlyDescribe() throws NotUnderstoodException {
        StateRecord record = (StateRecord) codec.decode(read(STATE_KEY, BODY, "ds.v", "1"));
        StateVersion version = (StateVersion) record.content();
        assertThat(record.writeId()).isEmpty();
        assertThat(version.contentType()).isEqualTo("application/octet-stream");
        assertThat(version.completed()).isFalse();
    }

    @Test
    void isCompletedOnlyByTheWordTrue() throws NotUnderstoodException {
        for (String word : List.of("false", "TRUE", "1", "")) {
            StateRecord record = (StateRecord) codec.decode(read(STATE_KEY, BODY, "ds.v", "1", "ds.completed", word));
            assertThat(((StateVersion) record.content()).completed()).as(word).isFalse();
        }
    }

    @Test
    void sharesTheTextOfContentTypes() throws NotUnderstoodException {
        FoldedState first = ((StateRecord)
                        codec.decode(read(STATE_KEY, BODY, "ds.v", "1", "ds.content-type", "application/json")))
                .content();
        FoldedState second = ((StateRecord)
                        codec.decode(read(STATE_KEY, BODY, "ds.v", "1", "ds.content-type", "application/json")))
                .content();
        assertThat(((StateVersion) second).contentType())
                .isEqualTo("application/json")
                .isSameAs(((StateVersion) first).contentType());
    }

    @Test
    void readsClaims() throws NotUnderstoodException {
        assertThat(codec.decode(read(CLAIM_KEY, utf8("{\"worker\":\"pod-7\"}"), "ds.v", "1", "ds.write-id", "w-1")))
                .isEqualTo(claim("w-1", new Claim("pod-7", false, 0, null, null)));
        assertThat(codec.decode(read(CLAIM_KEY, utf8("{\"closed\":true,\"more\":[1]}"), "ds.v", "1")))
                .isEqualTo(claim("", new Claim(null, true, 0, null, null)));
        assertThat(codec.decode(read(CLAIM_KEY, null, "ds.v", "1"))).isEqualTo(claim("", null));
    }

    private static ClaimRecord claim(String writeId, Claim claim) {
        return new ClaimRecord("order-42", 1042, 1_700_000_000_123L, writeId, claim);
    }

    @Test
    void writesClaimsAsItReadsThem() throws NotUnderstoodException {
        Attempt other = new Attempt(17, 2, "pod-3", Instant.EPOCH, Instant.EPOCH.plusMillis(1));
        Attempt nameless = new Attempt(17, 0, null, Instant.EPOCH, null);
        for (Claim claim : Arrays.asList(
                new Claim("pod-7", false, 3, other, Duration.ofSeconds(90)),
                new Claim(null, false, 1, null, null),
                new Claim("pod-7", false, 3, nameless, null),
                new Claim("pod \"7\"", true, 3, other, null),
                null)) {
            assertThat(codec.decode(read(codec.encode(3, "order-42", claim, "w-1"))))
                    .isEqualTo(claim("w-1", claim));
        }
    }

    @Test
    void writesTermsAsItReadsThem() throws NotUnderstoodException {
        StateDocument document = new StateDocument("text/plain", BODY, true, Duration.ofSeconds(90));
        StateVersion version = new StateVersion(
                3, 1042, 1042, 1_700_000_000_123L, BODY.length, true, 17L, "text/plain", "w-1", Duration.ofSeconds(90));
        for (Expectation expectation :
                Arrays.asList(new Expectation(new Revision(3, 1041)), new Expectation(null), null)) {
            Terms terms = new Terms(expectation, 17L, "w-1");
            assertThat(codec.decode(read(codec.encode(3, KEY, document, terms, "w-1"))))
                    .isEqualTo(new StateRecord(KEY, version, "w-1", 17L, expectation, null));
        }
    }

    @Test
    void aRestoreSaysWhatItRestoresAsItWas() throws NotUnderstoodException {
        StateVersion version = new StateVersion(
                3, 900, 950, 1_600_000_000_000L, BODY.length, true, 17L, "text/plain", "w-0", Duration.ofSeconds(90));
        StateVersion restored = new StateVersion(
                3, 900, 1042, 1_600_000_000_000L, BODY.length, true, 17L, "text/plain", "w-0", Duration.ofSeconds(90));
        assertThat(codec.decode(read(codec.encode(3, KEY, new Restore(1000, version, BODY, "w-0")))))
                .isEqualTo(new StateRecord(KEY, restored, "w-0", 17L, null, 1000L, 1_700_000_000_123L));
        assertThat(codec.decode(read(codec.encode(3, KEY, new Restore(1000, null, null, "w-1")))))
                .isEqualTo(new StateRecord(KEY, new Deletion(1042, 1_700_000_000_123L), "w-1", null, null, 1000L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "pod-7", "[]", "null", "\"pod-7\"", "7", "{", "{} {}", "{\"worker\":}"})
    void doesNotUnderstandAClaimThatIsNoJsonObject(String value) {
        assertNotUnderstood(read(CLAIM_KEY, utf8(value), "ds.v", "1"), "a claim's value is not");
    }

    @Test
    void readsTwentyThousandRecordsOfGarbageWithoutAnyOtherException() {
        Seeded.run(random -> {
            int understood = 0;
            for (int i = 0; i < 20_000; i++) {
                ConsumerRecord<byte[], byte[]> record = garbage(random);
                try {
                    codec.decode(record);
                    understood++;
                } catch (NotUnderstoodException e) {
                    if (e.reason().isBlank()) {
                        throw new AssertionError("No reason for " + record);
                    }
                } catch (RuntimeException e) {
                    throw new AssertionError("Record " + i + " of " + describe(record), e);
                }
            }
            assertThat(understood).as("some are near enough to be understood").isBetween(100, 19_000);
        });
    }

    private static String describe(ConsumerRecord<byte[], byte[]> record) {
        return "%s %s %s"
                .formatted(
                        record.key() == null ? null : new String(record.key(), StandardCharsets.ISO_8859_1),
                        record.value() == null ? null : new String(record.value(), StandardCharsets.ISO_8859_1),
                        record.headers());
    }

    /** Sometimes a good record, mostly one that has something wrong with it. */
    private static ConsumerRecord<byte[], byte[]> garbage(Random random) {
        byte[] key = mangled(random, random.nextInt(3) == 0 ? CLAIM_KEY : STATE_KEY);
        byte[] value = mangled(random, random.nextBoolean() ? BODY : utf8("{\"worker\":\"pod-7\",\"closed\":false}"));
        List<Header> headers = new ArrayList<>();
        if (random.nextInt(10) > 0) {
            headers.add(new RecordHeader("ds.v", utf8("1")));
        }
        String[] names = {
            "ds.v",
            "ds.write-id",
            "ds.content-type",
            "ds.completed",
            "ds.attempt",
            "ds.if-revision",
            "ds.restores",
            "ds.as-of",
            "ds.instance",
            "other"
        };
        String[] values = {"1", "w-1", "text/plain", "true", "17", "3-99", "none", "-1", "9".repeat(30), "\u0000", ""};
        for (int more = random.nextInt(4); more > 0; more--) {
            headers.add(new RecordHeader(
                    names[random.nextInt(names.length)], mangled(random, utf8(values[random.nextInt(values.length)]))));
        }
        return read(key, value, new org.apache.kafka.common.header.internals.RecordHeaders(headers));
    }

    private static byte[] mangled(Random random, byte[] good) {
        switch (random.nextInt(8)) {
            case 0 -> {
                return null;
            }
            case 1 -> {
                byte[] noise = new byte[random.nextInt(64)];
                random.nextBytes(noise);
                return noise;
            }
            case 2 -> {
                byte[] changed = good.clone();
                for (int flips = 1 + random.nextInt(3); flips > 0 && changed.length > 0; flips--) {
                    changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
                }
                return changed;
            }
            case 3 -> {
                return java.util.Arrays.copyOf(good, random.nextInt(good.length + 3));
            }
            default -> {
                return good;
            }
        }
    }

    private void assertNotUnderstood(ConsumerRecord<byte[], byte[]> record, String why) {
        assertThatExceptionOfType(NotUnderstoodException.class)
                .isThrownBy(() -> codec.decode(record))
                .satisfies(e -> assertThat(e.reason()).contains(why));
    }
}
