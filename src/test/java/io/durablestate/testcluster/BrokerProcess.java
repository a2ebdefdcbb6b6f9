package io.durablestate.testcluster;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.metadata.storage.Formatter;
import org.slf4j.LoggerFactory;

/** The program of one broker: prepares its directories when they are new, then runs until it is told to end. */
final class BrokerProcess {

    private BrokerProcess() {}

    /** Arguments: the file with Kafka's settings, the cluster id, and the users to create, as kafka-storage takes them. */
    public static void main(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        Properties settings = Utils.loadProps(args[0]);
        KafkaConfig config = new KafkaConfig(settings, false);
        format(config, args[1], Arrays.asList(args).subList(2, args.length));

        KafkaRaftServer server = new KafkaRaftServer(config, Time.SYSTEM);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
        server.startup();
        server.awaitShutdown();
    }

    private static void format(KafkaConfig config, String clusterId, List<String> users) throws Exception {
        if (Files.exists(Path.of(config.metadataLogDir(), "meta.properties"))) {
            return;
        }
        new Formatter()
                .setNodeId(config.nodeId())
                .setClusterId(clusterId)
                .setDirectories(config.logDirs())
                .setMetadataLogDirectory(config.metadataLogDir())
                .setControllerListenerName(KafkaCluster.CONTROLLER)
                .setScramArguments(users)
                .setPrintStream(new PrintStream(PrintStream.nullOutputStream()))
                .run();
    }
}
