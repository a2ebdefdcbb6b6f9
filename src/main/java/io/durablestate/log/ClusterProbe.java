package io.durablestate.log;

import io.durablestate.DurableStateProperties;
import io.durablestate.log.ClusterSnapshot.PartitionSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Asks Kafka about the state log's topic, over and over, so that others get an answer at once.
 *
 * <p>What it says is at most {@link #MAX_AGE} old, or it says that Kafka does not answer.
 */
@Component
public final class ClusterProbe implements SmartLifecycle {

    /** Age beyond which an answer of Kafka counts for nothing. */
    public static final Duration MAX_AGE = Duration.ofSeconds(2);

    private static final int REQUEST_TIMEOUT_MS = 900;
    private static final int CALL_TIMEOUT_MS = 1_000;
    private static final Map<String, Object> ADMIN_SETTINGS = Map.of(
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, CALL_TIMEOUT_MS);
    private static final Duration OFFSETS_TIMEOUT = Duration.ofMillis(500);
    private static final Duration PERIOD = Duration.ofMillis(250);
    private static final Duration URGENT_PERIOD = Duration.ofMillis(20);
    private static final Duration SETTINGS_PERIOD = Duration.ofSeconds(10);

    private record Settings(Map<String, String> values, long readAtNanos) {}

    private final String topic;
    private final LazyAdmin admin;
    private final LeaderOffsets offsets;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition probed = lock.newCondition();
    private final Condition poked = lock.newCondition();
    private volatile Observation latest = new Observation(null, 0, 0, null);
    private @Nullable Settings settings;
    private int awaiting;
    private volatile @Nullable Thread thread;

    ClusterProbe(DurableStateProperties properties, KafkaClients clients) {
        this.topic = properties.topic();
        this.admin = new LazyAdmin(() -> clients.admin("probe", ADMIN_SETTINGS));
        this.offsets = new LeaderOffsets(
                topic, OFFSETS_TIMEOUT, leader -> clients.admin("probe-leader-" + leader, ADMIN_SETTINGS));
    }

    /**
     * The outcome of the newest probes.
     *
     * @param snapshot what Kafka said last, null when it never answered
     * @param begunNanos when that probe began, by {@link System#nanoTime}
     * @param endedNanos when that probe ended, by {@link System#nanoTime}
     * @param failure what the newest probe threw, null when it did not fail
     */
    public record Observation(
            @Nullable ClusterSnapshot snapshot,
            long begunNanos,
            long endedNanos,
            @Nullable Throwable failure) {

        /** What Kafka says now, null when it does not answer. */
        public @Nullable ClusterSnapshot current() {
            return notOlderThan(MAX_AGE);
        }

        /** What Kafka said last, null when that is longer ago. */
        @Nullable
        ClusterSnapshot notOlderThan(Duration age) {
            return System.nanoTime() - endedNanos <= age.toNanos() ? snapshot : null;
        }

        /** Why there is nothing current, in a sentence. */
        public String silence() {
            return failure == null
                    ? "Kafka has not answered for more than 2 seconds"
                    : Causes.sentence("Kafka does not answer", failure);
        }
    }

    /** Never blocks. */
    public Observation latest() {
        return latest;
    }

    /**
     * Waits for an answer of Kafka that was asked for after this call and is as wanted.
     *
     * @return false when none came in time
     */
    boolean awaitFresh(Predicate<ClusterSnapshot> wanted, Duration timeout) throws InterruptedException {
        long calledAt = System.nanoTime();
        long nanos = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            awaiting++;
            poked.signal();
            while (!isFreshAndWanted(calledAt, wanted)) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = probed.awaitNanos(nanos);
            }
            return true;
        } finally {
            awaiting--;
            lock.unlock();
        }
    }

    private boolean isFreshAndWanted(long since, Predicate<ClusterSnapshot> wanted) {
        Observation observation = latest;
        return observation.snapshot() != null
                && observation.begunNanos() - since >= 0
                && wanted.test(observation.snapshot());
    }

    private void run() {
        while (thread == Thread.currentThread()) {
            long begun = System.nanoTime();
            Observation observation;
            try {
                observation = new Observation(take(), begun, System.nanoTime(), null);
            } catch (InterruptedException e) {
                return;
            } catch (ExecutionException | TimeoutException | RuntimeException e) {
                Observation before = latest;
                observation =
                        new Observation(before.snapshot(), before.begunNanos(), before.endedNanos(), Causes.unwrap(e));
            }
            if (!publishAndPause(observation)) {
                return;
            }
        }
    }

    @SuppressWarnings("WaitNotInLoop") // a pause that may end early
    private boolean publishAndPause(Observation observation) {
        lock.lock();
        try {
            latest = observation;
            probed.signalAll();
            Duration pause = awaiting > 0 ? URGENT_PERIOD : PERIOD;
            poked.awaitNanos(pause.toNanos());
            return true;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private ClusterSnapshot take() throws InterruptedException, ExecutionException, TimeoutException {
        Instant now = Instant.now();
        TopicDescription description;
        try {
            description = TopicSettings.describe(
                            admin.get(), topic, new DescribeTopicsOptions().timeoutMs(CALL_TIMEOUT_MS))
                    .get(CALL_TIMEOUT_MS + 100L, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return new ClusterSnapshot(now, null, List.of(), Map.of());
            }
            throw e;
        }
        return new ClusterSnapshot(now, description.topicId(), partitionsOf(description), settings());
    }

    private List<PartitionSnapshot> partitionsOf(TopicDescription description) throws InterruptedException {
        Map<Integer, LeaderOffsets.Range> ranges = offsets.of(description.partitions());
        List<PartitionSnapshot> partitions = new ArrayList<>();
        for (TopicPartitionInfo info : description.partitions()) {
            LeaderOffsets.Range range = Objects.requireNonNull(ranges.get(info.partition()));
            partitions.add(new PartitionSnapshot(
                    info.partition(),
                    LeaderOffsets.leaderOf(info),
                    info.replicas().stream().map(Node::id).toList(),
                    info.isr().stream().map(Node::id).toList(),
                    range.earliest(),
                    range.end()));
        }
        return partitions;
    }

    private Map<String, String> settings() throws InterruptedException {
        Settings known = settings;
        if (known != null && System.nanoTime() - known.readAtNanos() < SETTINGS_PERIOD.toNanos()) {
            return known.values();
        }
        try {
            Map<String, String> values =
                    TopicSettings.read(admin.get(), topic, new DescribeConfigsOptions().timeoutMs(CALL_TIMEOUT_MS));
            settings = new Settings(values, System.nanoTime());
            return values;
        } catch (ExecutionException e) {
            return known == null ? Map.of() : known.values();
        }
    }

    @Override
    public void start() {
        Thread prober = new Thread(this::run, "cluster-probe");
        prober.setDaemon(true);
        thread = prober;
        prober.start();
    }

    @Override
    public void stop() {
        Thread prober = thread;
        thread = null;
        if (prober != null) {
            prober.interrupt();
        }
        admin.close();
        offsets.close();
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }

    @Override
    public int getPhase() {
        return Phases.PROBE;
    }
}
