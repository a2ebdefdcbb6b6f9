package io.durablestate.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.history.Effect;
import io.durablestate.history.Effect.Conditions;
import io.durablestate.history.History;
import io.durablestate.history.Step;
import io.durablestate.history.Step.Place;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Clients that write, delete, claim and read the same few keys through several instances, and take note of all that they do
 * and see. What each does next comes from a seed.
 */
final class HistoryClients implements AutoCloseable {

    private static final List<Integer> SEQUENCES = List.of(0, 1);

    private final List<Api> instances;
    private final List<String> keys;
    private final Map<String, History> histories = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> outcomes = new ConcurrentHashMap<>();
    private final List<Client> clients;
    private final ExecutorService threads;

    HistoryClients(List<Api> instances, int clients, int keys, long seed) {
        this.instances = instances;
        this.keys = IntStream.range(0, keys).mapToObj(i -> "key-" + i).toList();
        this.clients = IntStream.range(0, clients)
                .mapToObj(i -> new Client(i, new Random(seed + i)))
                .toList();
        this.threads = Executors.newFixedThreadPool(clients);
        this.keys.forEach(key -> histories.put(key, new History()));
    }

    /** Starts all clients; the result has them end, and waits for that. */
    Runnable start() {
        AtomicBoolean isOver = new AtomicBoolean();
        Runnable end = startAll(client -> client.work(isOver));
        return () -> {
            isOver.set(true);
            end.run();
        };
    }

    /** Has all clients write one state after the other, all at once and all if it is what they have seen. */
    void race() {
        for (String key : keys) {
            for (int sequence : SEQUENCES) {
                String state = state(key, sequence);
                startAll(client -> client.read(client.anyInstance(), key, state))
                        .run();
                startAll(client -> client.put(client.anyInstance(), key, state, 100))
                        .run();
            }
        }
    }

    private Runnable startAll(Consumer<Client> work) {
        List<Future<?>> running = new ArrayList<>();
        clients.forEach(client -> running.add(threads.submit(() -> work.accept(client))));
        return () -> {
            for (Future<?> one : running) {
                try {
                    one.get();
                } catch (InterruptedException | ExecutionException e) {
                    throw new AssertionError(e);
                }
            }
        };
    }

    /** Reads every state on every instance. */
    void readEverything() {
        Client reader = clients.get(0);
        keys.forEach(key ->
                SEQUENCES.forEach(sequence -> instances.forEach(api -> reader.read(api, key, state(key, sequence)))));
    }

    int calls() {
        return histories.values().stream().mapToInt(History::size).sum();
    }

    /** How often each kind of answer came. */
    Map<String, AtomicLong> outcomes() {
        return outcomes;
    }

    /** What of any key cannot be explained. */
    Optional<String> violation() {
        return histories.entrySet().stream()
                .flatMap(entry -> entry.getValue().violation().stream().map(what -> entry.getKey() + ": " + what))
                .findFirst();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private static String state(String key, int sequence) {
        return key + "/" + sequence + "/step";
    }

    /** A state that a client saw; no revision when there was none. */
    private record Seen(String write, String revision) {

        private static final Seen NOTHING = new Seen(Conditions.ABSENT, "");
    }

    private record Claim(String worker, long attempt) {}

    private final class Client {

        private final int number;
        private final Random random;
        private final Map<String, Seen> seen = new HashMap<>();
        private final Map<String, Claim> claims = new HashMap<>();
        private int names;

        private Client(int number, Random random) {
            this.number = number;
            this.random = random;
        }

        private void work(AtomicBoolean isOver) {
            while (!isOver.get()) {
                String key = keys.get(random.nextInt(keys.size()));
                String state = state(key, SEQUENCES.get(random.nextInt(SEQUENCES.size())));
                Api api = anyInstance();
                int dice = random.nextInt(100);
                if (dice < 30) {
                    read(api, key, state);
                } else if (dice < 80) {
                    put(api, key, state, 75);
                } else if (dice < 90) {
                    delete(api, key, state);
                } else if (dice < 98) {
                    claim(api, key);
                } else {
                    closeAttempt(api, key);
                }
            }
        }

        private Api anyInstance() {
            return instances.get(random.nextInt(instances.size()));
        }

        private String nextName() {
            return "c" + number + "-" + names++;
        }

        private History history(String key) {
            return histories.get(key);
        }

        private void read(Api api, String key, String state) {
            long invoked = System.nanoTime();
            Optional<Answer> answer = answer("read", () -> api.get(state + "?consistency=strong"));
            if (answer.isEmpty() || answer.get().status() >= 500) {
                return;
            }
            Seen read = answer.get().status() == 404 ? Seen.NOTHING : seenIn(answer.get());
            sees(invoked, key, state, read, null);
        }

        private Seen seenIn(Answer answer) {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            String write = answer.header("State-Write-Id");
            assertThat(answer.text()).isEqualTo(body(write));
            return new Seen(write, answer.header("ETag").replace("\"", ""));
        }

        private void sees(long invoked, String key, String state, Seen read, Step after) {
            boolean isThere = !read.revision().isEmpty();
            if (isThere) {
                history(key).saw(Place.of(read.revision()), read.write());
            }
            Effect effect = new Effect.Saw(state, isThere ? read.write() : null);
            history(key)
                    .add(Step.happened(number, invoked, System.nanoTime(), effect, null)
                            .after(after));
            seen.put(state, read);
        }

        /** What the next write asks for: nothing, the state that was seen, an attempt, or both. */
        private final class Terms {

            private final List<String> headers = new ArrayList<>();
            private final Conditions conditions;

            private Terms(String key, String state, int percentOnlyIf, int percentOfAttempt) {
                Seen last = random.nextInt(100) < percentOnlyIf ? seen.get(state) : null;
                Claim claim = random.nextInt(100) < percentOfAttempt ? claims.get(key) : null;
                if (last != null && last.revision().isEmpty()) {
                    headers.addAll(List.of("If-None-Match", "*"));
                } else if (last != null) {
                    headers.addAll(List.of("If-Match", "\"" + last.revision() + "\""));
                }
                if (claim != null) {
                    headers.addAll(List.of("Attempt", Long.toString(claim.attempt())));
                }
                conditions = new Conditions(last == null ? null : last.write(), claim == null ? null : claim.worker());
            }
        }

        private void put(Api api, String key, String state, int percentOnlyIf) {
            Terms terms = new Terms(key, state, percentOnlyIf, 30);
            String write = nextName();
            String[] headers = Stream.concat(
                            Stream.of("Idempotency-Key", write, "Content-Type", "application/json"),
                            terms.headers.stream())
                    .toArray(String[]::new);
            boolean isSettled = putOnce(api, key, state, write, terms.conditions, headers);
            if (!isSettled && !terms.conditions.equals(Conditions.NONE)) {
                putOnce(api, key, state, write, terms.conditions, headers);
            }
        }

        /** Says whether the client knows what became of it. */
        private boolean putOnce(
                Api api, String key, String state, String write, Conditions conditions, String... headers) {
            long invoked = System.nanoTime();
            Optional<Answer> answer =
                    answer("put", () -> api.put(state, body(write).getBytes(UTF_8), headers));
            Effect effect = new Effect.Stored(state, write, conditions);
            if (answer.isEmpty() || !answer.get().isSuccess()) {
                return notDone(invoked, key, state, effect, conditions, answer);
            }
            String revision = answer.get().json().path("revision").stringValue();
            Seen stored = new Seen(write, revision);
            if (answer.get().header("Already-Applied").equals("true")) {
                sees(invoked, key, state, stored, null);
            } else {
                history(key).saw(Place.of(revision), write);
                history(key).add(Step.happened(number, invoked, System.nanoTime(), effect, Place.of(revision)));
                seen.put(state, stored);
            }
            return true;
        }

        private void delete(Api api, String key, String state) {
            boolean isThere = !Seen.NOTHING.equals(seen.get(state));
            Terms terms = new Terms(key, state, isThere ? 70 : 0, 30); // a deletion cannot ask for nothing
            long invoked = System.nanoTime();
            Optional<Answer> answer = answer("delete", () -> api.delete(state, terms.headers.toArray(String[]::new)));
            Effect effect = new Effect.Deleted(state, terms.conditions);
            if (answer.isPresent() && answer.get().status() == 404) {
                sees(invoked, key, state, Seen.NOTHING, null);
            } else if (answer.isPresent() && answer.get().isSuccess()) {
                history(key).add(Step.happened(number, invoked, System.nanoTime(), effect, null));
                seen.put(state, Seen.NOTHING);
            } else {
                notDone(invoked, key, state, effect, terms.conditions, answer);
            }
        }

        private boolean notDone(
                long invoked, String key, String state, Effect effect, Conditions conditions, Optional<Answer> answer) {
            if (answer.isEmpty() || answer.get().outcome().equals("unknown")) {
                history(key).add(Step.unknown(number, invoked, effect));
                return false;
            }
            assertThat(answer.get().outcome()).as(answer.get().toString()).isEqualTo("not-persisted");
            JsonNode problem = answer.get().json();
            if (answer.get().status() == 412) {
                String actual = problem.path("currentRevision").stringValue(null);
                history(key)
                        .mismatched(
                                number,
                                invoked,
                                System.nanoTime(),
                                state,
                                conditions.onlyIf(),
                                actual == null ? null : Place.of(actual));
            } else if (answer.get().status() == 409) {
                fenced(invoked, key, conditions.worker(), answer.get());
            }
            return true;
        }

        private void fenced(long invoked, String key, String worker, Answer answer) {
            String holder = answer.json().path("currentWorker").stringValue();
            Effect effect = new Effect.Fenced(worker, holder, answer.problem().equals("attempt-closed"));
            history(key).add(Step.happened(number, invoked, System.nanoTime(), effect, null));
            if (random.nextBoolean()) {
                claims.remove(key); // the others go on as zombies
            }
        }

        private void claim(Api api, String key) {
            String worker = nextName();
            long invoked = System.nanoTime();
            Optional<Answer> answer = answer(
                    "claim",
                    () -> api.send(
                            "POST",
                            "/api/v1/attempts/" + key,
                            BodyPublishers.ofString("{\"worker\":\"%s\"}".formatted(worker)),
                            "Content-Type",
                            "application/json"));
            Effect effect = new Effect.Claimed(worker);
            if (answer.isEmpty() || !answer.get().isSuccess()) {
                notDone(invoked, key, "", effect, Conditions.NONE, answer);
                return;
            }
            JsonNode json = answer.get().json();
            long attempt = json.path("attempt").longValue();
            Step claimed =
                    history(key).add(Step.happened(number, invoked, System.nanoTime(), effect, new Place(0, attempt)));
            claims.put(key, new Claim(worker, attempt));
            for (int sequence : SEQUENCES) {
                sees(invoked, key, state(key, sequence), stateIn(json.path("states"), sequence), claimed);
            }
        }

        private Seen stateIn(JsonNode states, int sequence) {
            for (JsonNode state : states) {
                if (state.path("sequence").intValue() == sequence) {
                    return new Seen(
                            state.path("writeId").stringValue(),
                            state.path("revision").stringValue());
                }
            }
            return Seen.NOTHING;
        }

        private void closeAttempt(Api api, String key) {
            Claim claim = claims.get(key);
            if (claim == null) {
                return;
            }
            long invoked = System.nanoTime();
            Optional<Answer> answer =
                    answer("close", () -> api.call("DELETE", "/api/v1/attempts/" + key + "/" + claim.attempt()));
            Effect effect = new Effect.Closed(claim.worker());
            if (answer.isPresent() && answer.get().isSuccess()) {
                history(key).add(Step.happened(number, invoked, System.nanoTime(), effect, null));
            } else {
                notDone(invoked, key, "", effect, new Conditions(null, claim.worker()), answer);
            }
        }

        /** Empty when none came. */
        private Optional<Answer> answer(String call, Supplier<Answer> request) {
            try {
                Answer answer = request.get();
                count(call + " " + answer.status());
                return Optional.of(answer);
            } catch (UncheckedIOException e) {
                count(call + " without an answer");
                return Optional.empty();
            }
        }

        private void count(String outcome) {
            outcomes.computeIfAbsent(outcome, word -> new AtomicLong()).incrementAndGet();
        }
    }

    private static String body(String write) {
        return "\"" + write + "\"";
    }
}
