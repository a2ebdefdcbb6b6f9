package io.durablestate.broker;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.util.unit.DataSize;

/**
 * How the embedded broker is set up: one node that is broker and controller, reached through loopback only, small in
 * memory.
 *
 * @param directory where its data is
 * @param client the port for clients
 * @param controller the port through which its own parts talk
 * @param maxStateSize largest body of a state
 * @param fsync whether every record is forced to disk before it is acknowledged
 */
record BrokerSettings(
        DataDirectory directory, LoopbackPort client, LoopbackPort controller, DataSize maxStateSize, boolean fsync) {

    static final String CONTROLLER = "CONTROLLER";

    private static final String CLIENT = "CLIENT";

    /** Room for the key, the headers, and the batch that a body travels in. */
    private static final DataSize ENVELOPE = DataSize.ofMegabytes(1);

    private static final DataSize SMALLEST_REQUEST_LIMIT = DataSize.ofMegabytes(100);

    /** The settings as Kafka knows them. */
    Map<String, String> asProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.putAll(identity());
        properties.putAll(durability());
        properties.putAll(singleCopyTopics());
        properties.putAll(sizes());
        properties.putAll(smallFootprint());
        return properties;
    }

    private Map<String, String> identity() {
        return Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                String.valueOf(KraftServer.NODE_ID),
                "log.dirs",
                directory.kafka().toString(),
                "listeners",
                CLIENT + "://" + client.address() + "," + CONTROLLER + "://" + controller.address(),
                "listener.security.protocol.map",
                CLIENT + ":PLAINTEXT," + CONTROLLER + ":PLAINTEXT",
                "inter.broker.listener.name",
                CLIENT,
                "controller.listener.names",
                CONTROLLER,
                "controller.quorum.voters",
                KraftServer.NODE_ID + "@" + controller.address());
    }

    private Map<String, String> durability() {
        return fsync ? Map.of("log.flush.interval.messages", "1") : Map.of();
    }

    private static Map<String, String> singleCopyTopics() {
        return Map.of(
                "auto.create.topics.enable", "false",
                "num.partitions", "1",
                "default.replication.factor", "1",
                "min.insync.replicas", "1",
                "unclean.leader.election.enable", "false",
                "offsets.topic.replication.factor", "1",
                "offsets.topic.num.partitions", "1",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "transaction.state.log.num.partitions", "1");
    }

    private Map<String, String> sizes() {
        long largestBatch = maxStateSize.toBytes() + ENVELOPE.toBytes();
        long largestRequest = Math.max(SMALLEST_REQUEST_LIMIT.toBytes(), 2 * largestBatch);
        return Map.of(
                "message.max.bytes", String.valueOf(largestBatch),
                "socket.request.max.bytes", String.valueOf(largestRequest));
    }

    /** Threads and buffers for one service; no idle writes; a session short enough to restart soon after a crash. */
    private static Map<String, String> smallFootprint() {
        return Map.ofEntries(
                Map.entry("share.coordinator.state.topic.replication.factor", "1"),
                Map.entry("share.coordinator.state.topic.min.isr", "1"),
                Map.entry("share.coordinator.state.topic.num.partitions", "1"),
                Map.entry("log.cleaner.threads", "1"),
                Map.entry(
                        "log.cleaner.dedupe.buffer.size",
                        String.valueOf(DataSize.ofMegabytes(16).toBytes())),
                Map.entry("num.network.threads", "2"),
                Map.entry("num.io.threads", "4"),
                Map.entry("background.threads", "2"),
                Map.entry("group.coordinator.threads", "1"),
                Map.entry("share.coordinator.threads", "1"),
                Map.entry("metadata.max.idle.interval.ms", "60000"),
                Map.entry("broker.heartbeat.interval.ms", "500"),
                Map.entry("broker.session.timeout.ms", "2000"),
                Map.entry("metric.reporters", ""));
    }
}
