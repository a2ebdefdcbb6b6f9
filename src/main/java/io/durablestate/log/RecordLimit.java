package io.durablestate.log;

import java.util.OptionalLong;
import org.springframework.stereotype.Component;

/** The largest batch of records that the topic takes, which can be less than what the service accepts. */
@Component
public final class RecordLimit {

    private final ClusterProbe probe;

    RecordLimit(ClusterProbe probe) {
        this.probe = probe;
    }

    /** The topic's {@code max.message.bytes} as Kafka said last; empty when it did not say. Does not block. */
    public OptionalLong bytes() {
        ClusterSnapshot snapshot = probe.latest().snapshot();
        String limit = snapshot == null ? null : snapshot.settings().get("max.message.bytes");
        return limit == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(limit));
    }
}
