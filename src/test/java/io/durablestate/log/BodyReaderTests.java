package io.durablestate.log;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.durablestate.DurableStateProperties.Limits;
import io.durablestate.state.NotServingException;
import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

@Timeout(120)
class BodyReaderTests {

    private static final TopicPartition PARTITION = new TopicPartition("durable-state", 3);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<MockConsumer<byte[], byte[]>> consumers = new CopyOnWriteArrayList<>();

    /** A reader whose consumers do as told at each poll. */
    private BodyReader reader(Duration timeout, int places, Consumer<MockConsumer<byte[], byte[]>> atEachPoll) {
        return new BodyReader("durable-state", limits(places, timeout), () -> {
            MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none") {
                @Override
                @SuppressWarnings("UnsynchronizedOverridesSynchronized") // a poll that blocks must not hold the monitor
                public ConsumerRecords<byte[], byte[]> poll(Duration pollTimeout) {
                    atEachPoll.accept(this);
                    return super.poll(pollTimeout);
                }
            };
            consumers.add(consumer);
            return consumer;
        });
    }

    private BodyReader readerOf(ConsumerRecord<byte[], byte[]> record) {
        return reader(LONG, 4, consumer -> consumer.addRecord(record));
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset, byte[] value) {
        return new ConsumerRecord<>("durable-state", 3, offset, new byte[] {1}, value);
    }

    private static void assertNotServing(Reason reason, Executable read) {
        assertThatExceptionOfType(NotServingException.class)
                .isThrownBy(read::execute)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    void readsTheValueAtAnOffset() throws InterruptedException {
        byte[] value = {1, 2, 3};
        assertThat(readerOf(record(1042, value)).read(3, 1042))
                .hasValueSatisfying(record -> assertThat(record.value()).isSameAs(value));
        assertThat(consumers.get(0).assignment()).containsExactly(PARTITION);
    }

    @Test
    void findsNothingWhereCompactionTookTheRecordAway() throws InterruptedException {
        assertThat(readerOf(record(1050, new byte[] {1})).read(3, 1042)).isEmpty();
    }

    @Test
    void findsNothingInADeletion() throws InterruptedException {
        assertThat(readerOf(record(1042, null)).read(3, 1042)).isEmpty();
    }

    @Test
    void findsNothingWhereOnlyAMarkerLies() throws InterruptedException {
        BodyReader reader = new BodyReader("durable-state", limits(4, LONG), () -> new MockConsumer<>("none") {
            @Override
            public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                return new ConsumerRecords<>(Map.of(), Map.of(PARTITION, new OffsetAndMetadata(1043)));
            }
        });
        assertThat(reader.read(3, 1042)).isEmpty();
    }

    @Test
    void findsNothingBeforeTheBeginningOfTheLog() throws InterruptedException {
        BodyReader reader = reader(LONG, 4, consumer -> {
            throw new OffsetOutOfRangeException(Map.of(PARTITION, 1042L));
        });
        assertThat(reader.read(3, 1042)).isEmpty();
    }

    @Test
    void waitsUntilTheRecordComes() throws InterruptedException {
        int[] polls = {0};
        BodyReader reader = reader(LONG, 4, consumer -> {
            if (++polls[0] == 3) {
                consumer.addRecord(record(1042, new byte[] {1}));
            }
        });
        assertThat(reader.read(3, 1042)).isPresent();
        assertThat(polls[0]).isEqualTo(3);
    }

    @Test
    void givesUpWhenKafkaDoesNotAnswerInTime() {
        BodyReader reader = reader(SHORT, 4, consumer -> {});
        assertNotServing(Reason.KAFKA_UNAVAILABLE, () -> reader.read(3, 1042));
    }

    @Test
    void saysWhyKafkaDidNotAnswer() {
        BodyReader reader = reader(LONG, 4, consumer -> {
            throw new TopicAuthorizationException("denied");
        });
        assertThatExceptionOfType(NotServingException.class)
                .isThrownBy(() -> reader.read(3, 1042))
                .withRootCauseInstanceOf(TopicAuthorizationException.class);
    }

    @Test
    void givesUpWhenNoConsumerCanBeMade() {
        BodyReader reader = new BodyReader("durable-state", limits(4, LONG), () -> {
            throw new KafkaException("Failed to construct kafka consumer");
        });
        assertNotServing(Reason.KAFKA_UNAVAILABLE, () -> reader.read(3, 1042));
    }

    @Test
    void refusesWhatIsTooMuchAtOnce() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        BodyReader reader = reader(LONG, 1, consumer -> {
            asked.countDown();
            await(answer);
            consumer.addRecord(record(1042, new byte[] {1}));
        });
        CompletableFuture<Optional<ConsumerRecord<byte[], byte[]>>> underWay = inBackground(reader);
        await(asked);

        assertNotServing(Reason.OVERLOADED, () -> reader.read(3, 1042));
        answer.countDown();
        assertThat(underWay.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isPresent();
        assertThat(reader.read(3, 1042)).as("there is room again").isPresent();
    }

    @Test
    void givesUpWhenItsTurnDoesNotComeInTime() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(4);
        BodyReader reader = new BodyReader("durable-state", limits(5, SHORT), () -> {
            asked.countDown();
            await(answer);
            return new MockConsumer<>("none");
        });
        List<CompletableFuture<Optional<ConsumerRecord<byte[], byte[]>>>> underWay = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            underWay.add(inBackground(reader));
        }
        await(asked);

        assertNotServing(Reason.KAFKA_UNAVAILABLE, () -> reader.read(3, 1042));
        answer.countDown();
        assertThat(underWay)
                .allSatisfy(read -> assertThat(read)
                        .failsWithin(PATIENCE)
                        .withThrowableThat()
                        .withRootCauseInstanceOf(NotServingException.class));
    }

    @Test
    void usesAConsumerAgainUnlessItFailed() throws InterruptedException {
        long[] offset = {0};
        boolean[] fails = {false};
        BodyReader reader = reader(LONG, 4, consumer -> {
            if (fails[0]) {
                throw new KafkaException("broken");
            }
            consumer.addRecord(record(offset[0], new byte[] {1}));
        });
        for (offset[0] = 0; offset[0] < 5; offset[0]++) {
            assertThat(reader.read(3, offset[0])).isPresent();
        }
        assertThat(consumers).hasSize(1);

        fails[0] = true;
        assertNotServing(Reason.KAFKA_UNAVAILABLE, () -> reader.read(3, 5));
        assertThat(consumers.get(0).closed()).isTrue();

        fails[0] = false;
        offset[0] = 6;
        assertThat(reader.read(3, 6)).isPresent();
        assertThat(consumers).hasSize(2);
    }

    @Test
    void endsWhenItIsInterrupted() {
        BodyReader reader = reader(LONG, 4, consumer -> {
            throw new InterruptException("interrupted");
        });
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> reader.read(3, 1042));
        assertThat(Thread.interrupted()).as("the flag, which this clears").isTrue();
    }

    @Test
    void closesItsConsumers() throws InterruptedException {
        BodyReader reader = readerOf(record(1042, new byte[] {1}));
        reader.read(3, 1042);
        reader.close();
        assertThat(consumers).hasSize(1).allMatch(MockConsumer::closed);
    }

    @Test
    void closesAConsumerThatWasInUseWhenItWasClosed() throws InterruptedException {
        BodyReader[] reader = {null};
        reader[0] = reader(LONG, 4, consumer -> {
            requireNonNull(reader[0]).close();
            consumer.addRecord(record(1042, new byte[] {1}));
        });
        assertThat(reader[0].read(3, 1042)).isPresent();
        assertThat(consumers).hasSize(1).allMatch(MockConsumer::closed);
    }

    private static CompletableFuture<Optional<ConsumerRecord<byte[], byte[]>>> inBackground(BodyReader reader) {
        CompletableFuture<Optional<ConsumerRecord<byte[], byte[]>>> read = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        read.complete(reader.read(3, 1042));
                    } catch (InterruptedException | RuntimeException e) {
                        read.completeExceptionally(e);
                    }
                },
                "reader");
        thread.setDaemon(true);
        thread.start();
        return read;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Limits limits(int logReads, Duration timeout) {
        return Settings.with(
                        "limits.log-reads", Integer.toString(logReads), "limits.log-read-timeout", timeout.toString())
                .limits();
    }
}
