package io.durablestate.fault;

import io.durablestate.state.Lane;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.support.SendResult;

/** A lane on which no acknowledgement arrives: each ends as if Kafka had been silent. */
final class SilentLane implements Lane {

    private final Lane lane;
    private final KafkaOperations<byte[], byte[]> operations;

    /** @param written whether records are sent all the same */
    SilentLane(Lane lane, boolean written) {
        this.lane = lane;
        this.operations = silent(lane.kafkaTemplate(), written);
    }

    @SuppressWarnings("unchecked") // the proxy stands for operations of the same type
    private static KafkaOperations<byte[], byte[]> silent(KafkaOperations<byte[], byte[]> operations, boolean written) {
        return (KafkaOperations<byte[], byte[]>) Proxy.newProxyInstance(
                SilentLane.class.getClassLoader(),
                new Class<?>[] {KafkaOperations.class},
                (proxy, method, arguments) -> isSend(method)
                        ? send(operations, (ProducerRecord<byte[], byte[]>) arguments[0], written)
                        : call(operations, method, arguments));
    }

    private static boolean isSend(Method method) {
        return method.getName().equals("send")
                && method.getParameterCount() == 1
                && method.getParameterTypes()[0] == ProducerRecord.class;
    }

    private static CompletableFuture<SendResult<byte[], byte[]>> send(
            KafkaOperations<byte[], byte[]> operations, ProducerRecord<byte[], byte[]> record, boolean written) {
        TimeoutException silence = new TimeoutException("No acknowledgement came: a fault that was asked for");
        if (!written) {
            return CompletableFuture.failedFuture(silence);
        }
        // A record that Kafka refuses keeps its own failure.
        return operations.send(record).thenCompose(result -> CompletableFuture.failedFuture(silence));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public KafkaOperations<byte[], byte[]> kafkaTemplate() {
        return operations;
    }

    @Override
    public long retries() {
        return lane.retries();
    }

    @Override
    public boolean wasRejectedUnbuffered(ProducerRecord<byte[], byte[]> record) {
        return lane.wasRejectedUnbuffered(record);
    }

    @Override
    public void failed(Throwable cause) {
        lane.failed(cause);
    }

    @Override
    public void release() {
        lane.release();
    }
}
