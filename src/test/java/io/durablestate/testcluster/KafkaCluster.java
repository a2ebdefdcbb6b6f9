package io.durablestate.testcluster;

import io.durablestate.testcluster.ClientSecurity.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;
import org.springframework.util.FileSystemUtils;

/**
 * A Kafka cluster on loopback whose brokers are processes of their own, each of them broker and controller, so that
 * they can be killed, frozen and started again one by one. Brokers are numbered from 1.
 *
 * <pre>{@code
 * try (KafkaCluster cluster = KafkaCluster.start(3)) {
 *     cluster.createTopic("t", 1, 3, Map.of());
 *     cluster.broker(cluster.leaderOf("t", 0)).kill();
 * }
 * }</pre>
 */
public final class KafkaCluster implements AutoCloseable {

    static final String CONTROLLER = "CONTROLLER";

    /** The user who may do everything, and whom {@link #admin()} and {@link #clientSettings()} act for. */
    public static final String SUPER_USER = "admin";

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

    private final Path directory;
    private final ClientSecurity security;
    private final Map<String, User> users;
    private final Certificates certificates;
    private final List<Broker> brokers;
    private final ClusterView view;
    private Admin admin;

    private KafkaCluster(Builder builder, Path directory, Certificates certificates, List<Broker> brokers) {
        this.directory = directory;
        this.security = builder.security;
        this.users = builder.users;
        this.certificates = certificates;
        this.brokers = brokers;
        this.view = new ClusterView(clientSettings(), bootstrapServers());
    }

    /** A plain cluster of so many brokers, ready. */
    public static KafkaCluster start(int brokers) {
        return builder().brokers(brokers).start();
    }

    /** For anything but the plain cluster. */
    public static Builder builder() {
        return new Builder();
    }

    /** Every broker of the cluster, also those that are down. */
    public String bootstrapServers() {
        return brokers.stream().map(Broker::address).collect(Collectors.joining(","));
    }

    /** What a client of Kafka needs to connect as the super user. */
    public Map<String, Object> clientSettings() {
        return clientSettings(SUPER_USER);
    }

    /** What a client of Kafka needs to connect as this user. */
    public Map<String, Object> clientSettings(String user) {
        Map<String, Object> settings = new HashMap<>(security.clientSettings(known(user), certificates));
        settings.put("bootstrap.servers", bootstrapServers());
        return settings;
    }

    /** What the service needs to connect as the super user, as properties of Spring. */
    public Map<String, String> springProperties() {
        return springProperties(SUPER_USER);
    }

    /** What the service needs to connect as this user, as properties of Spring. */
    public Map<String, String> springProperties(String user) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("spring.kafka.bootstrap-servers", bootstrapServers());
        security.clientSettings(known(user), certificates)
                .forEach((name, value) -> properties.put("spring.kafka.properties." + name, value));
        return properties;
    }

    /** How access control calls a user. */
    public String principal(String user) {
        return security.principal(user);
    }

    /** The broker of this number. */
    public Broker broker(int id) {
        return brokers.get(id - 1);
    }

    /** All brokers, by number. */
    public List<Broker> brokers() {
        return brokers;
    }

    /** An admin client of the super user, closed with the cluster. */
    public synchronized Admin admin() {
        if (admin == null) {
            admin = Admin.create(clientSettings());
        }
        return admin;
    }

    /**
     * Waits until every broker that is meant to run is registered and takes requests, and no other one is, and all of
     * them agree on that.
     *
     * <p>Fails with the end of its log if one of them has ended, and with the ends of all logs if it takes too long.
     */
    public void awaitReady() {
        List<Broker> serving = brokers.stream().filter(Broker::isServing).toList();
        List<Integer> expected = serving.stream().map(Broker::id).toList();
        List<ClusterView> views = serving.stream()
                .map(broker -> new ClusterView(clientSettings(), broker.address()))
                .toList();
        try {
            patiently("brokers " + expected)
                    .failFast(() -> serving.forEach(Broker::requireAlive))
                    .until(() -> views.stream()
                            .allMatch(each -> each.servingBrokers().equals(expected)));
        } catch (ConditionTimeoutException e) {
            serving.forEach(broker -> e.addSuppressed(broker.failure("is not ready")));
            throw e;
        } finally {
            views.forEach(ClusterView::close);
        }
    }

    /** Creates a topic and waits until each of its partitions has a leader and all replicas in sync. */
    public void createTopic(String name, int partitions, int replicationFactor, Map<String, String> configs) {
        NewTopic topic = new NewTopic(name, partitions, (short) replicationFactor).configs(configs);
        get(admin().createTopics(List.of(topic)).all());
        awaitPartitions(name, partition -> partition.isr().size() == replicationFactor);
    }

    /** The number of the broker that leads a partition; waits while there is none. */
    public int leaderOf(String topic, int partition) {
        return awaitPartition(topic, partition, KafkaCluster::hasLeader)
                .leader()
                .id();
    }

    /** Waits until another broker than this one leads a partition; returns its number. */
    public int awaitLeaderOtherThan(int broker, String topic, int partition) {
        Predicate<TopicPartitionInfo> another =
                info -> hasLeader(info) && info.leader().id() != broker;
        return awaitPartition(topic, partition, another).leader().id();
    }

    /** The numbers of the brokers that are in sync with the leader of a partition. */
    public List<Integer> inSyncReplicasOf(String topic, int partition) {
        List<Node> replicas = awaitPartition(topic, partition, any -> true).isr();
        return replicas.stream().map(Node::id).sorted().toList();
    }

    /** Waits until every partition of a topic has a leader and this holds for it. */
    public void awaitPartitions(String topic, Predicate<TopicPartitionInfo> condition) {
        patiently("partitions of " + topic)
                .until(
                        () -> view.partitionsOf(topic),
                        partitions -> !partitions.isEmpty()
                                && partitions.stream().allMatch(condition.and(KafkaCluster::hasLeader)));
    }

    /** Kills every broker and deletes its data. */
    @Override
    public synchronized void close() {
        view.close();
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
        brokers.forEach(Broker::close);
        delete(directory);
    }

    private TopicPartitionInfo awaitPartition(String topic, int partition, Predicate<TopicPartitionInfo> condition) {
        return patiently(topic + "-" + partition)
                .until(
                        () -> view.partitionsOf(topic),
                        all -> all.size() > partition && condition.test(all.get(partition)))
                .get(partition);
    }

    private static ConditionFactory patiently(String what) {
        return Awaitility.await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(100));
    }

    private static boolean hasLeader(TopicPartitionInfo partition) {
        return partition.leader() != null && !partition.leader().isEmpty();
    }

    private User known(String user) {
        User known = users.get(user);
        if (known == null) {
            throw new IllegalArgumentException("no user " + user + "; add it to the builder");
        }
        return known;
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(CALL_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the cluster", e);
        }
    }

    private static void delete(Path directory) {
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says what the cluster is like before it is started. */
    public static final class Builder {

        private final Map<String, String> settings = new HashMap<>();
        private final Map<Integer, Map<String, String>> settingsOfOne = new HashMap<>();
        private final Map<String, User> users = new LinkedHashMap<>();
        private int size = 1;
        private ClientSecurity security = ClientSecurity.PLAINTEXT;
        private boolean accessControl;

        private Builder() {
            user(SUPER_USER, "admin-secret");
        }

        /** How many brokers; 1 when not said. */
        public Builder brokers(int number) {
            this.size = number;
            return this;
        }

        /** A setting of Kafka for every broker. */
        public Builder setting(String name, String value) {
            settings.put(name, value);
            return this;
        }

        /** A setting of Kafka for one broker, which counts more than one for all. */
        public Builder setting(int broker, String name, String value) {
            settingsOfOne.computeIfAbsent(broker, id -> new HashMap<>()).put(name, value);
            return this;
        }

        /** How clients prove who they are; not at all when not said. */
        public Builder security(ClientSecurity clients) {
            this.security = clients;
            return this;
        }

        /** Somebody else than the super user who may connect. */
        public Builder user(String name, String password) {
            users.put(name, new User(name, password));
            return this;
        }

        /** Only the super user may do anything until access is given through {@link KafkaCluster#admin()}. */
        public Builder accessControl() {
            this.accessControl = true;
            return this;
        }

        /** Starts the brokers and waits until the cluster is ready. */
        public KafkaCluster start() {
            if (accessControl && security == ClientSecurity.PLAINTEXT) {
                throw new IllegalStateException("access control needs clients with names; set security");
            }
            Path directory = createDirectory();
            Certificates certificates =
                    security == ClientSecurity.SSL ? Certificates.make(directory, List.copyOf(users.keySet())) : null;
            KafkaCluster cluster =
                    new KafkaCluster(this, directory, certificates, createBrokers(directory, certificates));
            try {
                cluster.brokers.forEach(Broker::start);
                cluster.awaitReady();
                return cluster;
            } catch (RuntimeException e) {
                cluster.close();
                throw e;
            }
        }

        private List<Broker> createBrokers(Path directory, Certificates certificates) {
            List<BrokerPorts> ports =
                    IntStream.rangeClosed(1, size).mapToObj(BrokerPorts::choose).toList();
            String voters = ports.stream().map(BrokerPorts::voter).collect(Collectors.joining(","));
            String clusterId = Uuid.randomUuid().toString();
            return ports.stream()
                    .map(port -> new Broker(
                            port, directory, clusterId, scramUsers(), settingsOf(port, voters, certificates)))
                    .toList();
        }

        private Map<String, String> settingsOf(BrokerPorts ports, String voters, Certificates certificates) {
            Map<String, String> all = new HashMap<>();
            all.putAll(ports.settings(security.protocol()));
            all.put("controller.quorum.voters", voters);
            all.putAll(testSettings());
            all.putAll(security.brokerSettings(users.values(), certificates));
            if (accessControl) {
                all.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
                all.put("super.users", security.principal(SUPER_USER) + ";User:ANONYMOUS");
            }
            all.putAll(settings);
            all.putAll(settingsOfOne.getOrDefault(ports.id(), Map.of()));
            return all;
        }

        private Map<String, String> testSettings() {
            String copies = String.valueOf(Math.min(3, size));
            return Map.of(
                    "auto.create.topics.enable", "false",
                    "default.replication.factor", copies,
                    "offsets.topic.replication.factor", copies,
                    "offsets.topic.num.partitions", "4",
                    "transaction.state.log.replication.factor", copies,
                    "transaction.state.log.num.partitions", "4",
                    "transaction.state.log.min.isr", "1",
                    "group.initial.rebalance.delay.ms", "0",
                    "num.io.threads", "4",
                    "log.cleaner.dedupe.buffer.size", "8388608");
        }

        private List<String> scramUsers() {
            if (security != ClientSecurity.SASL_SCRAM) {
                return List.of();
            }
            return users.values().stream()
                    .map(user -> "SCRAM-SHA-256=[name=%s,password=%s]".formatted(user.name(), user.password()))
                    .toList();
        }

        private static Path createDirectory() {
            try {
                return Files.createTempDirectory("kafka-cluster-");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
