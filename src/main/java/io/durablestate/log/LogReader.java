package io.durablestate.log;

import io.durablestate.DurableStateProperties;
import io.durablestate.state.FoldedLog;
import io.durablestate.state.NotServingException.Reason;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Keeps what this instance knows equal to the log: opens the topic, replays it, follows it, and starts over when the ground
 * has shifted, as long as the service runs. Whatever hinders it is shown in {@link LogStatus} and tried again.
 */
@Component
final class LogReader implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(LogReader.class);

    private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final KafkaClients clients;
    private final Lanes lanes;
    private final LogStatus status;
    private final ClusterProbe probe;
    private final FoldedLog foldedLog;
    private final RecordCodec codec;
    private final Clock clock;
    private final TopicSetup topicSetup;
    private final LazyAdmin admin;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private @Nullable String lastWarning;
    private volatile @Nullable Thread thread;
    private volatile @Nullable LogFollower follower;

    LogReader(
            DurableStateProperties properties,
            KafkaClients clients,
            Lanes lanes,
            LogStatus status,
            ClusterProbe probe,
            FoldedLog foldedLog,
            RecordCodec codec,
            Clock clock) {
        this.clients = clients;
        this.lanes = lanes;
        this.status = status;
        this.probe = probe;
        this.foldedLog = foldedLog;
        this.codec = codec;
        this.clock = clock;
        this.topicSetup = new TopicSetup(properties, clients.maxRecordBytes());
        this.admin = new LazyAdmin(() -> clients.admin("log-reader", TopicSetup.ADMIN_SETTINGS));
    }

    private void run() {
        try {
            while (stopped.getCount() > 0) {
                attempt();
                stopped.await(RETRY_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Opens, replays and follows the log until that ends, for whatever reason. */
    private void attempt() throws InterruptedException {
        try {
            StateTopic topic = topicSetup.open(admin.get());
            lanes.open(topic.partitions());
            probe.awaitFresh(snapshot -> topic.id().equals(snapshot.topicId()), PROBE_TIMEOUT);
            try (LogFollower opened = new LogFollower(topic, clients, status, probe, foldedLog, codec, clock)) {
                follower = opened;
                if (stopped.getCount() > 0) {
                    opened.replay(admin.get());
                    lastWarning = null;
                    opened.follow();
                }
            } finally {
                follower = null;
            }
        } catch (WakeupException | InterruptException e) {
            log.debug("The log reader was woken to stop");
        } catch (TopicRefusedException e) {
            hindered(Reason.KAFKA_REFUSED, e.reason());
        } catch (LogShiftedException e) {
            hindered(Reason.RECOVERING, e.reason());
        } catch (InvalidOffsetException e) {
            hindered(Reason.RECOVERING, Causes.sentence("the log was cut where this instance was reading", e));
        } catch (ExecutionException | RuntimeException e) {
            Throwable cause = Causes.unwrap(e);
            if (stopped.getCount() == 0) {
                log.debug("The log reader stops", e);
            } else if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
                hindered(Reason.KAFKA_REFUSED, Causes.sentence("Kafka refuses access to the state log", cause));
            } else if (cause instanceof ApiException && !(cause instanceof RetriableException)) {
                hindered(Reason.KAFKA_REFUSED, Causes.sentence("Kafka refuses what the state log needs", cause));
            } else if (cause instanceof KafkaException) {
                hindered(Reason.KAFKA_UNAVAILABLE, Causes.sentence("Kafka cannot be reached", cause));
            } else {
                log.error("The log reader failed and starts over", e);
                hindered(Reason.RECOVERING, "the log reader failed and starts over: " + cause);
            }
        }
    }

    private void hindered(Reason reason, String why) {
        if (!why.equals(lastWarning)) {
            lastWarning = why;
            log.warn("Not ready: {}", why);
        }
        status.hindered(reason, why);
    }

    @Override
    public void start() {
        Thread reader = new Thread(this::run, "log-reader");
        reader.setDaemon(true);
        thread = reader;
        reader.start();
    }

    @Override
    public void stop() {
        stopped.countDown();
        admin.close();
        LogFollower current = follower;
        if (current != null) {
            current.wakeUp();
        }
        Thread reader = thread;
        if (reader != null) {
            try {
                reader.join(STOP_TIMEOUT.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        thread = null;
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }

    @Override
    public int getPhase() {
        return Phases.READER;
    }
}
