package io.durablestate.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.state.History.Appended;
import io.durablestate.state.StateRecord.Expectation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes complete in any order while the reader folds at its own pace: what is seen is always the newest of both. */
class StateIndexInterleavingTests {

    private static final List<StateKey> STATES = IntStream.range(0, 3)
            .mapToObj(i -> StateKey.of("order-42", i, "charge-card"))
            .toList();

    static LongStream seeds() {
        return FoldSeeds.first(100);
    }

    static LongStream fewSeeds() {
        return FoldSeeds.first(5);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsSeenIsTheNewestOfWhatWasFoldedAndWhatWasAcknowledged(long seed) {
        Steps steps = new Steps(new Random(seed));
        for (int i = 0; i < 300; i++) {
            steps.takeOne();
            steps.assertTheNewestIsSeen();
        }
        steps.finish();
        steps.assertTheNewestIsSeen();
        assertSeesTheFoldOf(steps.log, steps.index);
    }

    /** Takes the steps of writers and reader in a random order, on one thread. */
    private static final class Steps {

        private final Random random;
        private final StateIndex index = liveIndex();

        /** Folds the same and is never raised. */
        private final StateIndex unraised = liveIndex();

        private final List<StateRecord> log = new ArrayList<>();
        private final List<StateRecord> underWay = new ArrayList<>();
        private final Map<StateKey, FoldedState> folded = new HashMap<>();
        private final Map<StateKey, FoldedState> acknowledged = new HashMap<>();

        private Steps(Random random) {
            this.random = random;
        }

        private void takeOne() {
            switch (random.nextInt(9)) {
                case 0, 1 -> append();
                case 2, 3 -> appendConditional();
                case 4, 5 -> acknowledge();
                case 6, 7 -> fold();
                default -> index.forgetDeletionsBefore(random.nextInt(log.size() + 1));
            }
        }

        private void append() {
            StateRecord record = unconditional(random, log.size());
            log.add(record);
            underWay.add(record);
        }

        /** Such a write waits for the fold's verdict, so that nothing is raised for it. */
        private void appendConditional() {
            StateRecord record = unconditional(random, log.size());
            StateVersion seen = random.nextBoolean() ? index.find(record.key()) : unraised.find(record.key());
            Long revision = seen == null ? null : (Long) seen.writtenAt();
            log.add(FoldRecords.onlyIf(revision, record));
        }

        private void acknowledge() {
            if (underWay.isEmpty()) {
                return;
            }
            StateRecord done = underWay.remove(random.nextInt(underWay.size()));
            StateVersion seen = index.find(done.key());
            FoldedState before = index.generation().raise(0, done.key(), done.content());
            assertThat(before instanceof StateVersion ? before : null).isEqualTo(seen);
            acknowledged.merge(done.key(), done.content(), Steps::newer);
        }

        private void fold() {
            int next = (int) index.position(0);
            if (next < log.size()) {
                StateRecord record = log.get(next);
                Judgement judgement = unraised.fold(0, record);
                assertThat(index.fold(0, record).tookEffect()).isEqualTo(judgement.tookEffect());
                folded.put(record.key(), judgement.state());
            }
        }

        private void finish() {
            while (!underWay.isEmpty() || index.position(0) < log.size()) {
                if (random.nextBoolean()) {
                    acknowledge();
                } else {
                    fold();
                }
            }
        }

        private void assertTheNewestIsSeen() {
            int there = 0;
            for (StateKey state : STATES) {
                FoldedState newest = newer(folded.get(state), notPassed(acknowledged.get(state)));
                StateVersion expected = newest instanceof StateVersion version ? version : null;
                assertThat(index.find(state)).isEqualTo(expected);
                there += expected == null ? 0 : 1;
            }
            assertThat(index.size()).isEqualTo(there);
        }

        private @Nullable FoldedState notPassed(@Nullable FoldedState state) {
            return state == null || state.offset() < index.position(0) ? null : state;
        }

        private static @Nullable FoldedState newer(@Nullable FoldedState one, @Nullable FoldedState other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return one.offset() > other.offset() ? one : other;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void nobodySeesAStateGoBackBehindAnAcknowledgedWrite(long seed) throws Exception {
        Race race = new Race(seed);
        race.run();
        assertSeesTheFoldOf(race.log, race.index);
    }

    /** Writers, a reader and lookers on, each a thread. */
    private static final class Race {

        private static final int WRITERS = 3;
        private static final int WRITES = 600;
        private static final int TOGETHER = 4;

        private final long seed;
        private final StateIndex index = liveIndex();
        private final List<StateRecord> log = new ArrayList<>();
        private final CyclicBarrier start = new CyclicBarrier(WRITERS + 2);

        private Race(long seed) {
            this.seed = seed;
        }

        private void run() throws Exception {
            Stream<Callable<Void>> writers =
                    IntStream.range(0, WRITERS).mapToObj(i -> () -> write(new Random(seed * WRITERS + i)));
            ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 2);
            try {
                List<Future<Void>> done = new ArrayList<>();
                Stream.concat(writers, Stream.<Callable<Void>>of(this::read, this::look))
                        .forEach(task -> done.add(threads.submit(task)));
                for (Future<Void> task : done) {
                    task.get(60, TimeUnit.SECONDS);
                }
            } finally {
                threads.shutdownNow();
            }
        }

        /** Several writes are under way at a time, and complete in any order. */
        private Void write(Random random) throws Exception {
            start.await();
            for (int written = 0; written < WRITES; written += TOGETHER) {
                List<StateRecord> underWay =
                        Stream.generate(() -> append(random)).limit(TOGETHER).collect(Collectors.toList());
                Collections.shuffle(underWay, random);
                for (StateRecord record : underWay) {
                    index.generation().raise(0, record.key(), record.content());
                    assertNotOlder(record.key(), record.offset());
                }
            }
            return null;
        }

        private Void read() throws Exception {
            start.await();
            for (int next = 0; next < WRITERS * WRITES; next++) {
                index.fold(0, await(next));
            }
            return null;
        }

        /** Remembers how far it has seen each state. */
        private Void look() throws Exception {
            start.await();
            Map<StateKey, Long> newest = new HashMap<>();
            while (index.position(0) < WRITERS * WRITES
                    && !Thread.currentThread().isInterrupted()) {
                for (StateKey state : STATES) {
                    assertNotOlder(state, newest.getOrDefault(state, -1L));
                    StateVersion seen = index.find(state);
                    if (seen != null) {
                        newest.merge(state, seen.offset(), Math::max);
                    }
                }
            }
            return null;
        }

        /** What is seen now is at least as new as an offset; nothing is seen only if a deletion came after that. */
        private void assertNotOlder(StateKey state, long offset) {
            StateVersion seen = index.find(state);
            boolean older = seen == null ? offset >= 0 && !isDeletedAfter(offset, state) : seen.offset() < offset;
            if (older) {
                throw new AssertionError(
                        "Seed %d: after %d was seen of %s, %s is".formatted(seed, offset, state, seen));
            }
        }

        private StateRecord append(Random random) {
            synchronized (log) {
                StateRecord record = unconditional(random, log.size());
                log.add(record);
                log.notifyAll();
                return record;
            }
        }

        private StateRecord await(int offset) throws InterruptedException {
            synchronized (log) {
                while (offset >= log.size()) {
                    log.wait();
                }
                return log.get(offset);
            }
        }

        /** At an offset or after it. */
        private boolean isDeletedAfter(long offset, StateKey state) {
            synchronized (log) {
                return log.subList((int) offset, log.size()).stream()
                        .anyMatch(record -> record.key().equals(state) && record.content() instanceof Deletion);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void partitionsDoNotDisturbEachOther(long seed) {
        Random random = new Random(seed);
        StateIndex index = new StateIndex();
        index.startReplay(2);
        index.endReplay();
        List<Iterator<Appended>> logs = List.of(someLog(random), someLog(random));
        while (logs.stream().anyMatch(Iterator::hasNext)) {
            int partition = random.nextInt(2);
            if (logs.get(partition).hasNext()) {
                Appended next = logs.get(partition).next();
                assertThat(fold(index, partition, next.record()))
                        .as("%s in partition %d", next, partition)
                        .isEqualTo(next.tookEffect());
            }
        }
    }

    private static Iterator<Appended> someLog(Random random) {
        List<History> histories = History.all();
        return histories.get(random.nextInt(histories.size())).log().iterator();
    }

    private static boolean fold(StateIndex index, int partition, LogRecord record) {
        if (record instanceof StateRecord state) {
            return index.fold(partition, movedTo(partition, state)).tookEffect();
        }
        ClaimRecord claim = (ClaimRecord) record;
        index.fold(partition, new ClaimRecord(movedTo(partition, claim.key()), claim.offset(), 0, "", claim.claim()));
        return true;
    }

    private static StateRecord movedTo(int partition, StateRecord record) {
        StateKey key = StateKey.of(
                movedTo(partition, record.key().key()), 0, record.key().action());
        FoldedState content = record.content() instanceof StateVersion version
                ? new StateVersion(
                        partition, version.writtenAt(), version.offset(), 0, 1, false, null, "text/plain", "")
                : record.content();
        return new StateRecord(
                key, content, "", record.attempt(), movedTo(partition, record.ifRevision()), record.asOf());
    }

    private static @Nullable Expectation movedTo(int partition, @Nullable Expectation expectation) {
        return expectation == null || expectation.revision() == null
                ? expectation
                : new Expectation(new Revision(partition, expectation.revision().offset()));
    }

    private static String movedTo(int partition, String key) {
        return key + "-of-" + partition;
    }

    private static StateRecord unconditional(Random random, long offset) {
        StateKey state = STATES.get(random.nextInt(STATES.size()));
        return random.nextInt(3) == 0 ? FoldRecords.deletion(state, offset) : FoldRecords.put(state, offset);
    }

    private static StateIndex liveIndex() {
        StateIndex index = new StateIndex();
        index.startReplay(1);
        index.endReplay();
        return index;
    }

    private static void assertSeesTheFoldOf(List<StateRecord> log, StateIndex index) {
        StateIndex fold = liveIndex();
        log.forEach(record -> fold.fold(0, record));
        for (StateKey state : STATES) {
            assertThat(index.find(state)).isEqualTo(fold.find(state));
        }
        assertThat(index.size()).isEqualTo(fold.size());
    }
}
