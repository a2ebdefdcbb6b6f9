package io.durablestate.log;

import io.durablestate.state.ClaimRecord;
import io.durablestate.state.Deletion;
import io.durablestate.state.FoldedState;
import io.durablestate.state.LogRecord;
import io.durablestate.state.Revision;
import io.durablestate.state.StateDocument;
import io.durablestate.state.StateKey;
import io.durablestate.state.StateRecord;
import io.durablestate.state.StateRecord.Expectation;
import io.durablestate.state.StateVersion;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads the records of the state log, version 1. Safe for use by any number of threads. */
final class RecordCodec {

    private static final String DEFAULT_CONTENT_TYPE = "application/octet-stream";

    /** Different content types whose text is shared among versions; more than this are kept one by one. */
    private static final int SHARED_CONTENT_TYPES = 256;

    private final String topic;
    private final byte[] instance;
    private final RecordKeys keys = new RecordKeys();
    private final JsonMapper json = JsonMapper.shared();
    private final ConcurrentMap<String, String> contentTypes = new ConcurrentHashMap<>();

    RecordCodec(String topic, String instance) {
        this.topic = topic;
        this.instance = bytes(instance);
    }

    /** The record that stores a document, or deletes the state when there is none. */
    ProducerRecord<byte[], byte[]> encode(
            int partition, StateKey key, @Nullable StateDocument document, String writeId) {
        byte[] recordKey = RecordKeys.encode(new RecordKeys.OfState(key));
        byte[] value = document == null ? null : document.body();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, partition, recordKey, value);
        Headers headers = record.headers()
                .add(RecordHeaders.VERSION, bytes(RecordHeaders.CURRENT_VERSION))
                .add(RecordHeaders.WRITE_ID, bytes(writeId))
                .add(RecordHeaders.INSTANCE, instance);
        if (document != null) {
            headers.add(RecordHeaders.CONTENT_TYPE, bytes(document.contentType()));
            if (document.completed()) {
                headers.add(RecordHeaders.COMPLETED, bytes("true"));
            }
        }
        return record;
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
        return new StateRecord(key, content, writeId, attempt, expectation(headers), asOf);
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
        return new StateVersion(
                record.partition(),
                restores == null ? record.offset() : revision(restores).offset(),
                record.offset(),
                record.timestamp(),
                body.length,
                "true".equals(text(record.headers(), RecordHeaders.COMPLETED)),
                attempt,
                contentType(record.headers()),
                writeId);
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
        return new ClaimRecord(key, record.offset(), value == null ? null : claimOf(value));
    }

    private ClaimRecord.Claim claimOf(byte[] value) throws NotUnderstoodException {
        JsonNode claim;
        try {
            claim = json.readTree(value);
        } catch (JacksonException e) {
            throw new NotUnderstoodException("a claim's value is not JSON");
        }
        if (claim == null || !claim.isObject()) {
            throw new NotUnderstoodException("a claim's value is not a JSON object");
        }
        JsonNode worker = claim.path("worker");
        return new ClaimRecord.Claim(
                worker.isString() ? worker.stringValue() : null,
                claim.path("closed").asBoolean(false));
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
