package io.durablestate.state;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import org.jspecify.annotations.Nullable;

/**
 * The bodies that this instance keeps in memory, bounded by bytes.
 *
 * <p>It never decides what is true: a body is used only at the offset that the index names.
 */
final class AttemptCache {

    /** Heap that an entry takes beside its body: key, entry and array header, roughly. */
    private static final int ENTRY_OVERHEAD_BYTES = 200;

    /**
     * @param offset where the body lies in the log
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    private record Body(long offset, byte[] bytes) {}

    private final Cache<StateKey, Body> bodies;

    /** @param maxBytes heap for bodies and their entries; 0 keeps nothing */
    AttemptCache(long maxBytes) {
        this.bodies = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((StateKey key, Body body) -> body.bytes().length + ENTRY_OVERHEAD_BYTES)
                .recordStats()
                .build();
    }

    /** Keeps a body, unless one from later in the log is there. */
    void put(StateKey key, long offset, byte[] bytes) {
        bodies.asMap().merge(key, new Body(offset, bytes), (a, b) -> a.offset() > b.offset() ? a : b);
    }

    /** The body that lies at an offset, null when it is not kept. */
    byte @Nullable [] find(StateKey key, long offset) {
        Body body = bodies.getIfPresent(key);
        return body != null && body.offset() == offset ? body.bytes() : null;
    }

    /** Whether a body is kept, without counting as a use of it. */
    boolean has(StateKey key, long offset) {
        Body body = bodies.policy().getIfPresentQuietly(key);
        return body != null && body.offset() == offset;
    }

    void remove(StateKey key) {
        bodies.invalidate(key);
    }

    void clear() {
        bodies.invalidateAll();
    }

    /** Bodies kept, roughly. */
    long size() {
        return bodies.estimatedSize();
    }

    /** Heap in use, bodies and entries, roughly. */
    long bytes() {
        return bodies.policy().eviction().map(e -> e.weightedSize().orElse(0)).orElse(0L);
    }

    CacheStats stats() {
        return bodies.stats();
    }
}
