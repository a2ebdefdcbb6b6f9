package io.durablestate.log;

import io.durablestate.state.ClaimRecord;
import io.durablestate.state.Deletion;
import io.durablestate.state.FoldedState;
import io.durablestate.state.LogRecord;
import io.durablestate.state.Restore;
import io.durablestate.state.Revision;
import io.durablestate.state.StateDocument;
import io.durablestate.state.StateKey;
import io.durablestate.state.StateRecord;
import io.durablestate.state.StateRecord.Expectation;
import io.durablestate.state.StateVersion;
import io.durablestate.state.Terms;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Writes and reads the records of the state log, version 1. Safe for use by any number of threads. */
final class RecordCodec {

    private static final String DEFAULT_CONTENT_TYPE = "application/octet-stream";

    /** Different content types whose text is shared among versions; more than this are kept one by one. */
    private static final int SHARED_CONTENT_TYPES = 256;

    private final String topic;
    private final byte[] instance;
    private final RecordKeys keys = new RecordKeys();
    private final ClaimValues claims = new ClaimValues();
    private final ConcurrentMap<String, String> contentTypes = new ConcurrentHashMap<>();

    RecordCodec(String topic, String instance) {
        this.topic = topic;
        this.instance = bytes(instance);
    }

    /** The record that stores a document, or deletes the state when there is none. */
    ProducerRecord<byte[], byte[]> encode(
            int partition, StateKey key, @Nullable StateDocument document, Terms terms, String writeId) {
        byte[] value = document == null ? null : document.body();
        ProducerRecord<byte[], byte[]> record = record(partition, new RecordKeys.OfState(key), value, writeId);
        if (document != null) {
            describe(record.headers(), document.contentType(), document.completed(), document.expectWithin());
        }
        addNumber(record.headers(), RecordHeaders.ATTEMPT, terms.attempt());
        if (terms.ifRevision() != null) {
            record.headers()
                    .add(RecordHeaders.IF_REVISION, text(terms.ifRevision().revision()));
        }
        return record;
    }

    /** The record that says what is in effect as of an offset, in every respect as it was written. */
    ProducerRecord<byte[], byte[]> encode(int partition, StateKey key, Restore restore) {
        ProducerRecord<byte[], byte[]> record =
                record(partition, new RecordKeys.OfState(key), restore.body(), restore.writeId());
        Headers headers = record.headers();
        StateVersion version = restore.version();
        headers.add(RecordHeaders.RESTORES, text(version == null ? null : version.revision()));
        addNumber(headers, RecordHeaders.AS_OF, restore.asOf());
        if (version != null) {
            describe(headers, version.contentType(), version.completed(), version.expectWithin());
            addNumber(headers, RecordHeaders.ATTEMPT, version.attempt());
            addNumber(headers, RecordHeaders.WRITTEN_AT, version.timestamp());
        }
        return record;
    }

    /** The record that claims a key, or forgets the key's attempt when there is no claim. */
    ProducerRecord<byte[], byte[]> encode(
            int partition, String key, ClaimRecord.@Nullable Claim claim, String writeId) {
        byte[] value = claim == null ? null : claims.encode(claim);
        ProducerRecord<byte[], byte[]> record = record(partition, new RecordKeys.OfClaim(key), value, writeId);
        addDuration(record.headers(), claim == null ? null : claim.expectWithin());
        return record;
    }

    private ProducerRecord<byte[], byte[]> record(
            int partition, RecordKeys.Identity identity, byte @Nullable [] value, String writeId) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, partition, RecordKeys.encode(identity), value);
        record.headers()
                .add(RecordHeaders.VERSION, bytes(RecordHeaders.CURRENT_VERSION))
                .add(RecordHeaders.WRITE_ID, bytes(writeId))
                .add(RecordHeaders.INSTANCE, instance);
        return record;
    }

    private static void describe(
            Headers headers, String contentType, boolean completed, @Nullable Duration expectWithin) {
        headers.add(RecordHeaders.CONTENT_TYPE, bytes(contentType));
        if (completed) {
            headers.add(RecordHeaders.COMPLETED, bytes("true"));
        }
        addDuration(headers, expectWithin);
    }

    private static void addDuration(Headers headers, @Nullable Duration expectWithin) {
        if (expectWithin != null) {
            headers.add(RecordHeaders.EXPECT_WITHIN, bytes(expectWithin.toString()));
        }
    }

    private static void addNumber(Headers headers, String name, @Nullable Long number) {
        if (number != null) {
            headers.add(name, bytes(number.toString()));
        }
    }

    private static byte[] text(@Nullable Revision revision) {
        return bytes(revision == null ? RecordHeaders.NONE : revision.toString());
    }

    /** Whether a record was written for a state by a certain write. */
    boolean isOf(ConsumerRecord<byte @Nullable [], byte @Nullable []> record, StateKey key, String writeId) {
        return Arrays.equals(record.key(), RecordKeys.encode(new RecordKeys.OfState(key)))
                && textOr(record.headers(), RecordHeaders.WRITE_ID, "").equals(writeId);
    }

    /** @throws NotUnderstoodException when the record is not one of the state log */
    LogRecord decode(ConsumerRecord<byte @Nullable [], byte @Nullable []> record) throws NotUnderstoodException {
        String version = text(record.headers(), RecordHeaders.VERSION);
        if (!RecordHeaders.CURRENT_VERSION.equals(version)) {
            throw new NotUnderstoodException(
                    version == null
                            ? "the header ds.v is missing"
                            : "the header ds.v is not " + RecordHeaders.CURRENT_VERSION);
        }
        RecordKeys.Identity identity = keys.decode(record.key());
        return identity instanceof RecordKeys.OfState ofState
                ? stateRecord(ofState.state(), record)
                : claimRecord(identity.key(), record);
    }

    private StateRecord stateRecord(StateKey key, ConsumerRecord<byte @Nullable [], byte @Nullable []> record)
            throws NotUnderstoodException {
        Headers headers = record.headers();
        String writeId = textOr(headers, RecordHeaders.WRITE_ID, "");
        Long attempt = number(headers, RecordHeaders.ATTEMPT);
        Long asOf = number(headers, RecordHeaders.AS_OF);
        String restores = text(headers, RecordHeaders.RESTORES);
        if ((asOf == null) != (restores == null)) {
            throw new NotUnderstoodException("of ds.as-of and ds.restores one is missing");
        }
        FoldedState content = contentOf(record, writeId, attempt, restores);
        return new StateRecord(key, content, writeId, attempt, expectation(headers), asOf, record.timestamp());
    }

    private FoldedState contentOf(
            ConsumerRecord<byte @Nullable [], byte @Nullable []> record,
            String writeId,
            @Nullable Long attempt,
            @Nullable String restores)
            throws NotUnderstoodException {
        byte[] body = record.value();
        if (restores != null && RecordHeaders.NONE.equals(restores) != (body == null)) {
            throw new NotUnderstoodException("ds.restores and the value do not agree");
        }
        if (restores != null && body != null && revision(restores).partition() != record.partition()) {
            throw new NotUnderstoodException("ds.restores names a revision of another partition");
        }
        if (body == null) {
            return new Deletion(record.offset(), record.timestamp());
        }
        Long writtenAt = number(record.headers(), RecordHeaders.WRITTEN_AT);
        return new StateVersion(
                record.partition(),
                restores == null ? record.offset() : revision(restores).offset(),
                record.offset(),
                restores == null || writtenAt == null ? record.timestamp() : writtenAt,
                body.length,
                "true".equals(text(record.headers(), RecordHeaders.COMPLETED)),
                attempt,
                contentType(record.headers()),
                writeId,
                duration(record.headers()));
    }

    private String contentType(Headers headers) {
        String type = textOr(headers, RecordHeaders.CONTENT_TYPE, DEFAULT_CONTENT_TYPE);
        String shared = contentTypes.get(type);
        if (shared == null && contentTypes.size() < SHARED_CONTENT_TYPES) {
            contentTypes.putIfAbsent(type, type);
        }
        return shared == null ? type : shared;
    }

    private static @Nullable Expectation expectation(Headers headers) throws NotUnderstoodException {
        String text = text(headers, RecordHeaders.IF_REVISION);
        if (text == null) {
            return null;
        }
        return new Expectation(RecordHeaders.NONE.equals(text) ? null : revision(text));
    }

    private static Revision revision(String text) throws NotUnderstoodException {
        return Revision.parse(text)
                .orElseThrow(() -> new NotUnderstoodException("a header has a revision that is none"));
    }

    private ClaimRecord claimRecord(String key, ConsumerRecord<byte @Nullable [], byte @Nullable []> record)
            throws NotUnderstoodException {
        byte[] value = record.value();
        return new ClaimRecord(
                key,
                record.offset(),
                record.timestamp(),
                textOr(record.headers(), RecordHeaders.WRITE_ID, ""),
                value == null ? null : claims.decode(value, duration(record.headers())));
    }

    private static @Nullable Long number(Headers headers, String name) throws NotUnderstoodException {
        String text = text(headers, name);
        if (text == null) {
            return null;
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new NotUnderstoodException("the header %s is not a number".formatted(name));
        }
    }

    private static @Nullable Duration duration(Headers headers) throws NotUnderstoodException {
        String text = text(headers, RecordHeaders.EXPECT_WITHIN);
        try {
            return text == null ? null : Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new NotUnderstoodException("the header ds.expect-within is not a duration");
        }
    }

    private static String textOr(Headers headers, String name, String otherwise) {
        String text = text(headers, name);
        return text == null ? otherwise : text;
    }

    private static @Nullable String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
