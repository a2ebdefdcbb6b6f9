package io.durablestate.state;

import static io.durablestate.state.FoldRecords.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class AttemptCacheTests {

    private static final StateKey KEY = StateKey.of("order-42", 7, "charge-card");

    private final AttemptCache cache = new AttemptCache(100_000);

    @Test
    void handsOutTheBytesThatItWasGiven() {
        byte[] body = {1, 2, 3};
        cache.put(KEY, at(5), body);
        assertThat(cache.find(KEY, at(5))).isSameAs(body);
        assertThat(cache.has(KEY, at(5))).isTrue();
    }

    private static StateVersion at(long offset) {
        return version(offset, offset);
    }

    /** A topic that was created again has another body there. */
    @Test
    void doesNotTakeTheBodyOfAnotherWriteAtTheSameOffset() {
        cache.put(KEY, at(5), new byte[] {1});
        StateVersion other = new StateVersion(0, 5, 5, 5, 1, false, null, "text/plain", "another-write");
        assertThat(cache.find(KEY, other)).isNull();
        assertThat(cache.has(KEY, other)).isFalse();
    }

    @Test
    void hasABodyOnlyAtItsOffset() {
        cache.put(KEY, at(5), new byte[] {1});
        assertThat(cache.find(KEY, at(4))).isNull();
        assertThat(cache.find(KEY, at(6))).isNull();
        assertThat(cache.has(KEY, at(4))).isFalse();
        assertThat(cache.has(StateKey.of("order-43", 7, "charge-card"), at(5))).isFalse();
    }

    @Test
    void keepsTheNewerBodyWhicheverComesFirst() {
        byte[] older = {1};
        byte[] newer = {2};
        cache.put(KEY, at(5), older);
        cache.put(KEY, at(9), newer);
        cache.put(KEY, at(5), older);
        assertThat(cache.find(KEY, at(9))).isSameAs(newer);
        assertThat(cache.find(KEY, at(5))).isNull();
    }

    @Test
    void isBoundedByBytes() {
        for (int i = 0; i < 1_000; i++) {
            cache.put(StateKey.of("order-" + i, 7, "charge-card"), at(i), new byte[1_000]);
        }
        await().atMost(Caller.PATIENCE).until(() -> cache.bytes() <= 100_000);
        assertThat(cache.size()).isBetween(1L, 100L);
    }

    @Test
    void doesNotKeepWhatIsLargerThanItself() {
        cache.put(KEY, at(5), new byte[100_001]);
        await().atMost(Caller.PATIENCE).until(() -> !cache.has(KEY, at(5)));
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void keepsNothingWhenItMayNot() {
        AttemptCache none = new AttemptCache(0);
        none.put(KEY, at(5), new byte[] {1});
        await().atMost(Caller.PATIENCE).until(() -> none.find(KEY, at(5)) == null);
        assertThat(none.bytes()).isZero();
    }

    @Test
    void forgetsWhatItIsToldTo() {
        cache.put(KEY, at(5), new byte[] {1});
        cache.remove(KEY);
        assertThat(cache.find(KEY, at(5))).isNull();
        cache.put(KEY, at(5), new byte[] {1});
        cache.clear();
        assertThat(cache.find(KEY, at(5))).isNull();
    }

    @Test
    void countsWhatIsReadAndNotWhatIsLookedAt() {
        cache.put(KEY, at(5), new byte[] {1});
        cache.put(KEY, at(6), new byte[] {1});
        cache.has(KEY, at(6));
        assertThat(cache.stats().requestCount()).isZero();
        cache.find(KEY, at(6));
        cache.find(StateKey.of("order-43", 7, "charge-card"), at(6));
        assertThat(cache.stats().hitCount()).isEqualTo(1);
        assertThat(cache.stats().missCount()).isEqualTo(1);
    }
}
