package io.durablestate.broker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.LoggerFactory;

/**
 * One Kafka node, broker and controller. The same parts as Kafka's own {@code KafkaRaftServer}, which can be told
 * neither which sockets to use nor what to do on a fatal fault.
 */
final class KraftServer {

    static final int NODE_ID = 1;

    private static final Duration CONTROLLED_SHUTDOWN = Duration.ofSeconds(5);

    private final Faults faults = new Faults();
    private final ControllerServer controller;
    private final BrokerServer broker;

    KraftServer(Map<String, String> settings, ServerSocketFactory sockets) {
        KafkaConfig config = new KafkaConfig(settings, false);
        var directories = KafkaRaftServer.initializeLogDirs(config, LoggerFactory.getLogger(KraftServer.class), "");
        var shared = new SharedServer(
                config,
                directories._1(),
                Time.SYSTEM,
                Server.initializeMetrics(
                        config, Time.SYSTEM, directories._1().clusterId().orElseThrow()),
                CompletableFuture.completedFuture(
                        QuorumConfig.parseVoterConnections(config.quorumConfig().voters())),
                QuorumConfig.parseBootstrapServers(config.quorumConfig().bootstrapServers()),
                faults,
                sockets);
        this.broker = new BrokerServer(shared);
        this.controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), directories._2());
    }

    /**
     * Returns when clients are served.
     *
     * @throws KafkaException if that fails, with everything stopped again
     */
    void start() {
        Throwable failure = faults.failureOf(() -> {
            controller.startup();
            broker.startup();
        });
        if (failure != null) {
            stopAfter(failure);
            throw new KafkaException("the broker did not start", failure);
        }
    }

    private void stopAfter(Throwable failure) {
        try {
            stop();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Returns when everything is on disk and closed, after a few seconds at most. */
    void stop() {
        try {
            broker.shutdown(CONTROLLED_SHUTDOWN);
        } finally {
            controller.shutdown();
        }
    }
}
