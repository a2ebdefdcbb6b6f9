package io.durablestate.event;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * A place between two events: for each partition of one log, the offset from which on nothing has been told. As text it is
 * opaque, and grows by a few characters for each partition.
 */
final class EventPosition {

    /** A byte before everything, so that other forms can come. */
    private static final byte FORM = 1;

    private static final int LONGEST_NUMBER = 10;

    private final long log;
    private final long[] next;

    private EventPosition(long log, long[] next) {
        this.log = log;
        this.next = next;
    }

    /**
     * A place in a log.
     *
     * @param log identity of the log
     * @param next for each partition, the offset from which on nothing has been told; copied
     */
    static EventPosition of(long log, long[] next) {
        return new EventPosition(log, next.clone());
    }

    /** Reads what {@link #toString} wrote; empty when the text is anything else. */
    static Optional<EventPosition> parse(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            if (bytes.remaining() < 1 + Long.BYTES || bytes.get() != FORM) {
                return Optional.empty();
            }
            long log = bytes.getLong();
            long[] next = new long[bytes.remaining()];
            int partitions = 0;
            while (bytes.hasRemaining()) {
                next[partitions++] = number(bytes);
            }
            EventPosition position = new EventPosition(log, Arrays.copyOf(next, partitions));
            return position.toString().equals(text) ? Optional.of(position) : Optional.empty();
        } catch (IllegalArgumentException | java.nio.BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    private static long number(ByteBuffer bytes) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte part = bytes.get();
            number |= (long) (part & 0x7F) << shift;
            if (part >= 0) {
                if (number < 0) {
                    throw new IllegalArgumentException("an offset below 0");
                }
                return number;
            }
        }
        throw new IllegalArgumentException("a number that does not end");
    }

    boolean isOf(long otherLog, int partitions) {
        return log == otherLog && next.length == partitions;
    }

    long next(int partition) {
        return next[partition];
    }

    /** The place right after a record. */
    EventPosition after(int partition, long offset) {
        if (offset < next[partition]) {
            return this;
        }
        long[] moved = next.clone();
        moved[partition] = offset + 1;
        return new EventPosition(log, moved);
    }

    @Override
    public String toString() {
        ByteBuffer bytes = ByteBuffer.allocate(1 + Long.BYTES + LONGEST_NUMBER * next.length);
        bytes.put(FORM).putLong(log);
        for (long offset : next) {
            long rest = offset;
            while (rest > 0x7F) {
                bytes.put((byte) ((rest & 0x7F) | 0x80));
                rest >>>= 7;
            }
            bytes.put((byte) rest);
        }
        byte[] used = Arrays.copyOf(bytes.array(), bytes.position());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(used);
    }
}
