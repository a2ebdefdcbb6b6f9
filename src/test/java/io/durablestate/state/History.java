package io.durablestate.state;

import static io.durablestate.state.FoldRecords.closingClaim;
import static io.durablestate.state.FoldRecords.deletion;
import static io.durablestate.state.FoldRecords.forAttempt;
import static io.durablestate.state.FoldRecords.forgottenClaim;
import static io.durablestate.state.FoldRecords.onlyIf;
import static io.durablestate.state.FoldRecords.put;
import static io.durablestate.state.FoldRecords.restore;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What happened to one partition of a state log, and what every reader must make of it, as a model of the fold judged it.
 *
 * <p>Time is counted in offsets: a record's timestamp is its offset. Exported by {@code src/test/fold/export_histories.py},
 * which describes the format and the model.
 *
 * @param seed what the model made it from
 * @param lag how many of the newest records compaction leaves alone
 * @param events in the order in which they happened
 */
record History(long seed, long lag, List<Event> events) {

    /** The business keys of all histories. */
    static final List<String> KEYS = List.of("k1", "k2", "k3");

    private static final String FILE = "histories.jsonl.gz";

    /** One thing that happened. */
    sealed interface Event {}

    /** A record was appended to the log; a claim always takes effect. */
    record Appended(LogRecord record, boolean tookEffect) implements Event {}

    /** Compaction removed the records at some offsets. */
    record Compacted(Set<Long> gone) implements Event {}

    /** Another reader starts and replays what compaction has left. */
    record FollowerStarts() implements Event {}

    /** What every reader must see after the records before {@code end}. */
    record Checkpoint(long end, View view) implements Event {}

    /**
     * What a reader sees.
     *
     * @param states the states that are there
     * @param claims offset of the newest claim by key
     */
    record View(Map<StateKey, Place> states, Map<String, Long> claims) {}

    /**
     * Where the log has a state.
     *
     * @param writtenAt offset of its revision
     * @param offset where its bytes lie
     */
    record Place(long writtenAt, long offset) {}

    /** All exported histories. */
    static List<History> all() {
        return Loaded.HISTORIES;
    }

    /** The records that were ever appended, in their order. */
    List<Appended> log() {
        return events.stream()
                .filter(Appended.class::isInstance)
                .map(Appended.class::cast)
                .toList();
    }

    @Override
    public String toString() {
        return "history of seed " + seed;
    }

    private static final class Loaded {

        private static final List<History> HISTORIES = load();

        private static List<History> load() {
            JsonMapper json = JsonMapper.shared();
            List<History> histories = new ArrayList<>();
            try (InputStream zipped = History.class.getResourceAsStream(FILE);
                    BufferedReader lines = new BufferedReader(
                            new InputStreamReader(new GZIPInputStream(zipped), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    histories.add(new Parser().history(json.readTree(line)));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return List.copyOf(histories);
        }
    }

    /** Reads one line of the file. */
    private static final class Parser {

        private long end;

        private History history(JsonNode line) {
            List<Event> events = new ArrayList<>();
            for (JsonNode event : line.path("events")) {
                events.add(event(event));
            }
            return new History(line.path("seed").longValue(), line.path("lag").longValue(), List.copyOf(events));
        }

        private Event event(JsonNode event) {
            if (event.has("s")) {
                StateRecord record = state(event);
                end = record.offset() + 1;
                return new Appended(record, event.path("took").intValue() == 1);
            } else if (event.has("c")) {
                ClaimRecord record = claim(event);
                end = record.offset() + 1;
                return new Appended(record, true);
            } else if (event.has("gone")) {
                return new Compacted(event.path("gone")
                        .valueStream()
                        .map(JsonNode::longValue)
                        .collect(Collectors.toSet()));
            }
            return event.has("start") ? new FollowerStarts() : new Checkpoint(end, view(event));
        }

        private static StateRecord state(JsonNode event) {
            StateKey key = key(event.path("s").stringValue());
            long offset = event.path("o").longValue();
            StateRecord record = event.has("asOf")
                    ? restore(key, offset, event.path("asOf").longValue(), revision(event.path("restores")))
                    : event.has("null") ? deletion(key, offset) : put(key, offset);
            if (event.has("attempt")) {
                record = forAttempt(event.path("attempt").longValue(), record);
            }
            return event.has("if") ? onlyIf(revision(event.path("if")), record) : record;
        }

        private static ClaimRecord claim(JsonNode event) {
            String key = event.path("c").stringValue();
            long offset = event.path("o").longValue();
            return event.has("null")
                    ? forgottenClaim(key, offset)
                    : event.has("closed") ? closingClaim(key, offset) : FoldRecords.claim(key, offset);
        }

        private static View view(JsonNode event) {
            Map<StateKey, Place> states = new TreeMap<>();
            event.path("view")
                    .forEachEntry((state, place) -> states.put(
                            key(state),
                            new Place(place.path(0).longValue(), place.path(1).longValue())));
            Map<String, Long> claims = new TreeMap<>();
            event.path("claims").forEachEntry((key, offset) -> claims.put(key, offset.longValue()));
            return new View(states, claims);
        }

        private static @Nullable Long revision(JsonNode offset) {
            return offset.isString() ? null : offset.longValue();
        }

        private static StateKey key(String text) {
            int slash = text.indexOf('/');
            return StateKey.of(text.substring(0, slash), 0, text.substring(slash + 1));
        }
    }
}
