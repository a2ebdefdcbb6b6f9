package io.durablestate.state;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The bytes of versions, from memory or read back from the log. Safe for use by any number of threads. */
@Component
final class Bodies {

    private final StateLog stateLog;
    private final FoldedLog foldedLog;

    Bodies(StateLog stateLog, FoldedLog foldedLog) {
        this.stateLog = stateLog;
        this.foldedLog = foldedLog;
    }

    /**
     * The bytes of a version. Blocks while Kafka is asked for them.
     *
     * @return null when they do not lie where they lay, because compaction took them away after something newer
     * @throws NotServingException when they must come from Kafka and it does not answer
     */
    byte @Nullable [] of(StateKey key, StateVersion version) throws InterruptedException {
        byte[] cached = foldedLog.cache().find(key, version);
        if (cached != null) {
            return cached;
        }
        byte[] read = stateLog.read(key, version).orElse(null);
        if (read != null) {
            foldedLog.cache().put(key, version, read);
        }
        return read;
    }
}
