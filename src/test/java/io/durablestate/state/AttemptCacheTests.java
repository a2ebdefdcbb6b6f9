package io.durablestate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class AttemptCacheTests {

    private static final StateKey KEY = StateKey.of("order-42", 7, "charge-card");

    private final AttemptCache cache = new AttemptCache(100_000);

    @Test
    void handsOutTheBytesThatItWasGiven() {
        byte[] body = {1, 2, 3};
        cache.put(KEY, 5, body);
        assertThat(cache.find(KEY, 5)).isSameAs(body);
        assertThat(cache.has(KEY, 5)).isTrue();
    }

    @Test
    void hasABodyOnlyAtItsOffset() {
        cache.put(KEY, 5, new byte[] {1});
        assertThat(cache.find(KEY, 4)).isNull();
        assertThat(cache.find(KEY, 6)).isNull();
        assertThat(cache.has(KEY, 4)).isFalse();
        assertThat(cache.has(StateKey.of("order-43", 7, "charge-card"), 5)).isFalse();
    }

    @Test
    void keepsTheNewerBodyWhicheverComesFirst() {
        byte[] older = {1};
        byte[] newer = {2};
        cache.put(KEY, 5, older);
        cache.put(KEY, 9, newer);
        cache.put(KEY, 5, older);
        assertThat(cache.find(KEY, 9)).isSameAs(newer);
        assertThat(cache.find(KEY, 5)).isNull();
    }

    @Test
    void isBoundedByBytes() {
        for (int i = 0; i < 1_000; i++) {
            cache.put(StateKey.of("order-" + i, 7, "charge-card"), i, new byte[1_000]);
        }
        await().atMost(Caller.PATIENCE).until(() -> cache.bytes() <= 100_000);
        assertThat(cache.size()).isBetween(1L, 100L);
    }

    @Test
    void doesNotKeepWhatIsLargerThanItself() {
        cache.put(KEY, 5, new byte[100_001]);
        await().atMost(Caller.PATIENCE).until(() -> !cache.has(KEY, 5));
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void keepsNothingWhenItMayNot() {
        AttemptCache none = new AttemptCache(0);
        none.put(KEY, 5, new byte[] {1});
        await().atMost(Caller.PATIENCE).until(() -> none.find(KEY, 5) == null);
        assertThat(none.bytes()).isZero();
    }

    @Test
    void forgetsWhatItIsToldTo() {
        cache.put(KEY, 5, new byte[] {1});
        cache.remove(KEY);
        assertThat(cache.find(KEY, 5)).isNull();
        cache.put(KEY, 5, new byte[] {1});
        cache.clear();
        assertThat(cache.find(KEY, 5)).isNull();
    }

    @Test
    void countsWhatIsReadAndNotWhatIsLookedAt() {
        cache.put(KEY, 5, new byte[] {1});
        cache.put(KEY, 6, new byte[] {1});
        cache.has(KEY, 6);
        assertThat(cache.stats().requestCount()).isZero();
        cache.find(KEY, 6);
        cache.find(StateKey.of("order-43", 7, "charge-card"), 6);
        assertThat(cache.stats().hitCount()).isEqualTo(1);
        assertThat(cache.stats().missCount()).isEqualTo(1);
    }
}
