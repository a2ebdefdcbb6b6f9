package io.durablestate.state;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import org.jspecify.annotations.Nullable;

/**
 * The bodies that this instance keeps in memory, bounded by bytes.
 *
 * <p>It never decides what is true: a body is used only for the version that the index names.
 */
final class AttemptCache {

    /** Heap that an entry takes beside its body: key, entry and array header, roughly. */
    private static final int ENTRY_OVERHEAD_BYTES = 200;

    /**
     * @param offset where the body lies in the log
     * @param writeId the write that stored it, since a topic that was created again has other bodies at the same offsets
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    private record Body(long offset, String writeId, byte[] bytes) {

        private boolean isOf(StateVersion version) {
            return offset == version.offset() && writeId.equals(version.writeId());
        }
    }

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
    void put(StateKey key, StateVersion version, byte[] bytes) {
        bodies.asMap()
                .merge(
                        key,
                        new Body(version.offset(), version.writeId(), bytes),
                        (a, b) -> a.offset() > b.offset() ? a : b);
    }

    /** The body of a version, null when it is not kept. */
    byte @Nullable [] find(StateKey key, StateVersion version) {
        Body body = bodies.getIfPresent(key);
        return body != null && body.isOf(version) ? body.bytes() : null;
    }

    /** Whether a body is kept, without counting as a use of it. */
    boolean has(StateKey key, StateVersion version) {
        Body body = bodies.policy().getIfPresentQuietly(key);
        return body != null && body.isOf(version);
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
