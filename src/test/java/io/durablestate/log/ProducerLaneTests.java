package io.durablestate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.durablestate.state.Lane;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaProducerException;
import org.springframework.kafka.core.ProducerFactory;

@Timeout(120)
class ProducerLaneTests {

    private static final ProducerRecord<byte[], byte[]> RECORD =
            new ProducerRecord<>("durable-state", 0, new byte[] {1}, new byte[] {2});

    /** Every producer that the lane was given, newest first. */
    private final Deque<CountingProducer> producers = new ConcurrentLinkedDeque<>();

    private final AtomicInteger factories = new AtomicInteger();
    private final AtomicInteger batchSize = new AtomicInteger(16_384);
    private final ProducerLane lane = new ProducerLane("lane-0", batchSize::get, this::factory);

    private ProducerFactory<byte[], byte[]> factory(int size) {
        assertThat(size).isEqualTo(batchSize.get());
        factories.incrementAndGet();
        return new DefaultKafkaProducerFactory<>(Map.of()) {
            @Override
            protected Producer<byte[], byte[]> createKafkaProducer() {
                CountingProducer producer = new CountingProducer();
                producers.addFirst(producer);
                return producer;
            }
        };
    }

    /** A producer with the two metrics that a lane looks at. */
    private static final class CountingProducer extends MockProducer<byte[], byte[]> {

        private final AtomicLong retries = new AtomicLong();
        private final AtomicLong connections = new AtomicLong();
        private volatile Optional<ApiException> rejection = Optional.empty();

        private CountingProducer() {
            super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
            show("record-retry-total", "producer-topic-metrics", () -> 99L);
            show("record-retry-total", "producer-metrics", retries::get);
            show("connection-count", "producer-metrics", () -> (double) connections.get());
        }

        private void show(String name, String group, Supplier<Object> value) {
            MetricName metricName = new MetricName(name, group, "", Map.of("client-id", "lane-0"));
            setMockMetrics(metricName, new Metric() {
                @Override
                public MetricName metricName() {
                    return metricName;
                }

                @Override
                public Object metricValue() {
                    return value.get();
                }
            });
        }

        /** As Kafka's producer does with a failure of its own API before the record is in its buffer. */
        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (rejection.isEmpty()) {
                return super.send(record, callback);
            }
            callback.onCompletion(null, rejection.get());
            return CompletableFuture.failedFuture(rejection.get());
        }
    }

    private CountingProducer send(Lane on) {
        assertThat(on.kafkaTemplate().send(RECORD)).isNotDone();
        return producers.getFirst();
    }

    /** A failure as the acknowledgement of a template brings it. */
    private static Throwable acknowledged(Exception failure) {
        return new KafkaProducerException(RECORD, "Failed to send", failure);
    }

    static Stream<Exception> failuresThatLeaveAProducerUnusable() {
        return Stream.of(
                new OutOfOrderSequenceException("out of order"),
                new UnknownProducerIdException("unknown"),
                new InvalidProducerEpochException("epoch"),
                new ProducerFencedException("fenced"),
                new TopicAuthorizationException("topic"),
                new ClusterAuthorizationException("cluster"),
                new SaslAuthenticationException("sasl"),
                new UnsupportedVersionException("version"),
                new KafkaException("Cannot execute transactional method because we are in an error state"));
    }

    @ParameterizedTest
    @MethodSource("failuresThatLeaveAProducerUnusable")
    void goesOnWithANewProducerWhenTheOldOneIsUnusable(Exception failure) {
        Lane before = lane.take();
        CountingProducer old = send(before);

        before.failed(acknowledged(failure));
        before.release();

        assertThat(lane.take()).isNotSameAs(before);
        assertThat(send(lane.take())).isNotSameAs(old);
        await().atMost(Duration.ofSeconds(30)).until(old::closed);
        assertThat(producers.getFirst().closed()).isFalse();
    }

    @Test
    void goesOnWithAProducerThatMakesSmallerBatchesWhenTheTopicTakesLess() {
        Lane before = lane.take();
        CountingProducer old = send(before);
        batchSize.set(10_000);

        assertThat(send(lane.take())).isNotSameAs(old);
        assertThat(old.closed()).as("while a write is under way on it").isFalse();
        before.release();
        await().atMost(Duration.ofSeconds(10)).until(old::closed);
    }

    @Test
    void anUnusableProducerIsClosedWhenTheLastWriteOnItHasEnded() {
        Lane one = lane.take();
        Lane other = lane.take();
        CountingProducer old = send(one);

        one.failed(acknowledged(new TopicAuthorizationException("topic")));
        one.release();
        other.kafkaTemplate().flush();

        assertThat(old.closed()).as("closed under the other write").isFalse();
        assertThat(producers)
                .as("flushed on the producer that the write began on")
                .containsExactly(old);
        other.release();
        await().atMost(Duration.ofSeconds(30)).until(old::closed);
    }

    @Test
    void aRetiredLaneClosesItsProducerWhenTheLastWriteHasEnded() {
        Lane under = lane.take();
        CountingProducer producer = send(under);

        lane.retire();
        assertThat(producer.closed()).isFalse();
        under.release();
        await().atMost(Duration.ofSeconds(30)).until(producer::closed);
    }

    static Stream<Exception> failuresOfOneRecord() {
        return Stream.of(
                new TimeoutException("Expiring 1 record(s)"),
                new RecordTooLargeException("too large"),
                new NotEnoughReplicasException("1 of 2"),
                new InterruptedException());
    }

    @ParameterizedTest
    @MethodSource("failuresOfOneRecord")
    void staysWithItsProducerWhenOnlyARecordFailed(Exception failure) {
        Lane before = lane.take();
        before.failed(acknowledged(failure));
        before.failed(failure);

        assertThat(lane.take()).isSameAs(before);
        assertThat(factories).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("failuresBeforeTheBuffer")
    void staysWithItsProducerWhenARecordWasRejectedBeforeTheBuffer(ApiException failure) {
        Lane before = lane.take();
        send(before).rejection = Optional.of(failure);
        assertThatThrownBy(() -> before.kafkaTemplate().send(RECORD)).satisfies(before::failed);
        assertThat(lane.take()).isSameAs(before);
    }

    static Stream<ApiException> failuresBeforeTheBuffer() {
        return Stream.of(new TimeoutException("No metadata"), new RecordTooLargeException("too large"));
    }

    @Test
    void isReplacedOnceHoweverManyWritesFail() {
        Lane before = lane.take();
        for (int i = 0; i < 10; i++) {
            before.failed(acknowledged(new OutOfOrderSequenceException("out of order")));
        }
        assertThat(factories).hasValue(2);
    }

    @Test
    void aWriteStaysWithTheProducerThatItBeganOn() {
        Lane began = lane.take();
        CountingProducer old = send(began);
        long retriesBefore = began.retries();

        began.failed(acknowledged(new OutOfOrderSequenceException("out of order")));
        CountingProducer fresh = send(lane.take());
        old.retries.set(3);
        fresh.retries.set(8);

        assertThat(began.retries() - retriesBefore).isEqualTo(3);
        assertThat(lane.take().retries()).isEqualTo(8);
    }

    @Test
    void countsTheRetriesOfItsProducerAnewEachTime() {
        CountingProducer producer = send(lane.take());
        assertThat(lane.take().retries()).isZero();
        producer.retries.set(1);
        assertThat(lane.take().retries()).isEqualTo(1);
        producer.retries.set(5);
        assertThat(lane.take().retries()).isEqualTo(5);
    }

    @Test
    void isConnectedWhileItsProducerHasAConnection() {
        CountingProducer producer = send(lane.take());
        assertThat(lane.isConnected()).isFalse();
        producer.connections.set(2);
        assertThat(lane.isConnected()).isTrue();
        producer.connections.set(0);
        assertThat(lane.isConnected()).isFalse();
    }

    @Test
    void knowsARecordThatWasRejectedBeforeTheBuffer() {
        Lane current = lane.take();
        send(current).rejection = Optional.of(new TimeoutException("No metadata"));

        assertThatThrownBy(() -> current.kafkaTemplate().send(RECORD)).hasRootCauseInstanceOf(TimeoutException.class);

        ProducerRecord<byte[], byte[]> other = new ProducerRecord<>("durable-state", 0, new byte[] {1}, new byte[] {2});
        assertThat(current.wasRejectedUnbuffered(RECORD)).isTrue();
        assertThat(current.wasRejectedUnbuffered(RECORD)).as("asked again").isFalse();
        assertThatThrownBy(() -> current.kafkaTemplate().send(RECORD)).hasRootCauseInstanceOf(TimeoutException.class);
        assertThat(current.wasRejectedUnbuffered(other))
                .as("an equal record, but another")
                .isFalse();
    }

    @Test
    void doesNotTakeABrokersRejectionForOneBeforeTheBuffer() throws Exception {
        Lane current = lane.take();
        CountingProducer producer = send(current);
        Thread io = new Thread(() -> producer.errorNext(new NotEnoughReplicasException("1 of 2")), "producer-io");
        io.start();
        io.join();
        assertThat(current.wasRejectedUnbuffered(RECORD)).isFalse();
    }

    @Test
    void closesItsProducer() {
        CountingProducer producer = send(lane.take());
        lane.close();
        assertThat(producer.closed()).isTrue();
    }
}
