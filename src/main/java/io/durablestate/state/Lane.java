package io.durablestate.state;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.kafka.core.KafkaOperations;

/** A producer of its own, so that a partition that is stuck holds up no other; a partition always takes the same lane. */
public interface Lane {

    KafkaOperations<byte[], byte[]> kafkaTemplate();

    /** Records that this producer sent more than once so far, counted each time; does not block. */
    long retries();

    /** Whether the send of this record, made on this thread and failed, ended before the producer's buffer. Asked once. */
    boolean wasRejectedUnbuffered(ProducerRecord<byte[], byte[]> record);

    /** Takes note of a failure; one that leaves the producer unusable makes later writes use a new one. Does not block. */
    void failed(Throwable cause);

    /** Says, once, that the write has ended that the lane was taken for: its producer may be closed. Does not block. */
    void release();
}
