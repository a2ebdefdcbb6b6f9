package io.durablestate.state;

/** Says whether the service takes requests now. */
public interface Gate {

    /**
     * Lets a write in, which holds its place until the permit is closed. Waits, at most Kafka's {@code max.block.ms}, while
     * Kafka does not answer or the partition has no leader.
     *
     * @throws NotServingException when nothing may be sent; nothing was sent
     */
    Permit admitWrite(int partition) throws InterruptedException;

    /**
     * Refuses to go on while this instance is far behind the end of a partition.
     *
     * @throws NotServingException when it is
     */
    void requireFollowing(int partition);

    /**
     * Refuses to go on while an answer could be older than the truth.
     *
     * @throws NotServingException when the log has not been replayed
     */
    void requireReplayed();

    /** A place among the writes under way. */
    interface Permit extends AutoCloseable {
        @Override
        void close();
    }
}
