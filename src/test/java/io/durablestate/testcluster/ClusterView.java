package io.durablestate.testcluster;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * What the brokers say about the cluster, asked so that a frozen one does not matter: an admin client that has turned
 * to a frozen broker stays with it for a long time, whatever its request timeout is, so it is given up after the first
 * question without an answer.
 */
final class ClusterView implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 3_000;

    private final Map<String, Object> settings;
    private Admin admin;

    ClusterView(Map<String, Object> settings, String bootstrapServers) {
        this.settings = new HashMap<>(settings);
        this.settings.put("bootstrap.servers", bootstrapServers);
        this.settings.put("request.timeout.ms", PATIENCE_MILLIS);
        this.settings.put("default.api.timeout.ms", PATIENCE_MILLIS);
    }

    /** The numbers of the brokers that take requests, in order; none when there is no answer. */
    List<Integer> servingBrokers() {
        var options = new DescribeClusterOptions().includeFencedBrokers(true);
        Collection<Node> nodes = answer(admin().describeCluster(options).nodes(), List.of());
        return nodes.stream()
                .filter(node -> !node.isFenced())
                .map(Node::id)
                .sorted()
                .toList();
    }

    /** The partitions of a topic, in order; none when there is no answer or no such topic. */
    List<TopicPartitionInfo> partitionsOf(String topic) {
        Map<String, TopicDescription> topics =
                answer(admin().describeTopics(List.of(topic)).allTopicNames(), Map.of());
        return topics.containsKey(topic) ? topics.get(topic).partitions() : List.of();
    }

    @Override
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
    }

    private synchronized Admin admin() {
        if (admin == null) {
            admin = Admin.create(settings);
        }
        return admin;
    }

    private <T> T answer(KafkaFuture<T> future, T none) {
        try {
            return future.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            close();
            return none;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the cluster", e);
        }
    }
}
