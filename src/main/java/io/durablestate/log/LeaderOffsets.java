package io.durablestate.log;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Asks the leaders of a topic where their partitions begin and end. Used by one thread.
 *
 * <p>Each leader is asked through a client of its own: one that is silent costs its client the connections to the others as
 * well, and would keep their answers away.
 */
final class LeaderOffsets implements AutoCloseable {

    private final String topic;
    private final Duration timeout;
    private final IntFunction<Admin> clients;
    private final Map<Integer, LazyAdmin> byLeader = new HashMap<>();
    private boolean closed;

    /**
     * @param timeout how long all leaders together may take
     * @param clients makes the client for a leader, by its broker id
     */
    LeaderOffsets(String topic, Duration timeout, IntFunction<Admin> clients) {
        this.topic = topic;
        this.timeout = timeout;
        this.clients = clients;
    }

    /**
     * Where a partition begins and ends.
     *
     * @param earliest first offset that is kept, null when its leader did not say
     * @param end offset of the next record, null when its leader did not say
     */
    record Range(@Nullable Long earliest, @Nullable Long end) {

        private static final Range UNKNOWN = new Range(null, null);
    }

    private record Question(KafkaFuture<Long> earliest, KafkaFuture<Long> end) {}

    /** The ranges by partition number. Blocks until every leader has answered, at most the timeout. */
    Map<Integer, Range> of(List<TopicPartitionInfo> partitions) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<Integer, List<TopicPartition>> wanted = partitions.stream()
                .filter(partition -> leaderOf(partition) != null)
                .collect(Collectors.groupingBy(
                        partition -> partition.leader().id(),
                        Collectors.mapping(
                                partition -> new TopicPartition(topic, partition.partition()), Collectors.toList())));
        keepOnly(wanted.keySet());
        Map<Integer, Question> questions = new HashMap<>();
        wanted.forEach((leader, led) -> questions.putAll(ask(leader, led)));
        Map<Integer, Range> ranges = new HashMap<>();
        for (TopicPartitionInfo partition : partitions) {
            Question question = questions.get(partition.partition());
            ranges.put(
                    partition.partition(),
                    question == null
                            ? Range.UNKNOWN
                            : new Range(valueBy(deadline, question.earliest()), valueBy(deadline, question.end())));
        }
        return ranges;
    }

    /** The broker that leads a partition, null when none does. */
    static @Nullable Integer leaderOf(TopicPartitionInfo partition) {
        return partition.leader() == null || partition.leader().isEmpty()
                ? null
                : partition.leader().id();
    }

    private Map<Integer, Question> ask(int leader, List<TopicPartition> partitions) {
        ListOffsetsResult earliest = list(leader, partitions, OffsetSpec.earliest());
        ListOffsetsResult end = list(leader, partitions, OffsetSpec.latest());
        return partitions.stream()
                .collect(Collectors.toMap(
                        TopicPartition::partition,
                        partition -> new Question(offset(earliest, partition), offset(end, partition))));
    }

    private ListOffsetsResult list(int leader, List<TopicPartition> partitions, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> wanted =
                partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> spec));
        return client(leader).listOffsets(wanted, new ListOffsetsOptions().timeoutMs((int) timeout.toMillis()));
    }

    private static KafkaFuture<Long> offset(ListOffsetsResult result, TopicPartition partition) {
        return result.partitionResult(partition).thenApply(ListOffsetsResult.ListOffsetsResultInfo::offset);
    }

    private static @Nullable Long valueBy(long deadlineNanos, KafkaFuture<Long> future) throws InterruptedException {
        try {
            return future.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }

    private synchronized Admin client(int leader) {
        LazyAdmin admin = byLeader.computeIfAbsent(leader, id -> new LazyAdmin(() -> clients.apply(id)));
        if (closed) {
            admin.close();
        }
        return admin.get();
    }

    private synchronized void keepOnly(Set<Integer> leaders) {
        byLeader.entrySet().removeIf(entry -> {
            boolean gone = !leaders.contains(entry.getKey());
            if (gone) {
                entry.getValue().close();
            }
            return gone;
        });
    }

    /** Does not wait for what is under way. */
    @Override
    public synchronized void close() {
        closed = true;
        byLeader.values().forEach(LazyAdmin::close);
    }
}
