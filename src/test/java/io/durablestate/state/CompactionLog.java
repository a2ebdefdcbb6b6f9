package io.durablestate.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * A log that is compacted the way Kafka may do it, as far as it likes.
 *
 * <p>A record goes when a newer one of its Kafka key is there and the newer one is older than the lag; of one Kafka key the
 * oldest go first. A null value that nothing older of its Kafka key precedes any more goes after another lag.
 */
final class CompactionLog {

    private final long lag;
    private final Random random;
    private final NavigableMap<Long, LogRecord> records = new TreeMap<>();
    private final Map<Long, Long> aloneSince = new HashMap<>();

    CompactionLog(long lag, Random random) {
        this.lag = lag;
        this.random = random;
    }

    void append(LogRecord record) {
        records.put(record.offset(), record);
    }

    /** What is left, in order. */
    Collection<LogRecord> records() {
        return records.values();
    }

    void compact() {
        long end = records.lastKey() + 1;
        Map<Object, List<LogRecord>> byKey = new HashMap<>();
        records.headMap(end - lag)
                .values()
                .forEach(record -> byKey.computeIfAbsent(kafkaKey(record), key -> new ArrayList<>())
                        .add(record));
        byKey.values().forEach(old -> compact(old, end));
    }

    private void compact(List<LogRecord> old, long end) {
        int kept = random.nextBoolean() ? old.size() - 1 : random.nextInt(old.size());
        old.subList(0, kept).forEach(record -> records.remove(record.offset()));
        LogRecord oldest = old.get(kept);
        if (isNull(oldest)) {
            long since = aloneSince.computeIfAbsent(oldest.offset(), offset -> end);
            if (end >= since + lag) {
                records.remove(oldest.offset());
            }
        }
    }

    private static Object kafkaKey(LogRecord record) {
        return record instanceof StateRecord state ? state.key() : record.businessKey();
    }

    private static boolean isNull(LogRecord record) {
        return record instanceof StateRecord state
                ? state.content() instanceof Deletion
                : ((ClaimRecord) record).claim() == null;
    }
}
