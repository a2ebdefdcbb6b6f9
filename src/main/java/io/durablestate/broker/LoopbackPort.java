package io.durablestate.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import org.apache.kafka.server.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A port of the loopback address that is ours from the moment it is chosen, so that clients can be told before the
 * broker is up and nobody takes it in between. Kafka is handed the bound socket instead of opening one.
 */
final class LoopbackPort implements AutoCloseable {

    private static final int BACKLOG = 128;

    private final int number;
    private @Nullable ServerSocketChannel bound;

    private LoopbackPort(ServerSocketChannel bound) {
        this.number = bound.socket().getLocalPort();
        this.bound = bound;
    }

    /**
     * Takes a port.
     *
     * @param number the port, 0 for a free one
     * @throws IOException if somebody else has it
     */
    static LoopbackPort take(int number) throws IOException {
        return new LoopbackPort(bind(number));
    }

    int number() {
        return number;
    }

    String address() {
        return "127.0.0.1:" + number;
    }

    /** The bound socket, which from now on belongs to the caller; a new one on the same port when asked again. */
    synchronized ServerSocketChannel handOver() throws IOException {
        ServerSocketChannel socket = bound != null ? bound : bind(number);
        bound = null;
        return socket;
    }

    /** Gives the port back unless it was handed over. */
    @Override
    public synchronized void close() throws IOException {
        if (bound != null) {
            bound.close();
            bound = null;
        }
    }

    /** Kafka's way to ask for sockets, answered from these ports. */
    static ServerSocketFactory socketsOf(LoopbackPort... ports) {
        return (listener, address, backlog, receiveBuffer) -> {
            for (LoopbackPort port : ports) {
                if (port.number == address.getPort()) {
                    return port.handOver();
                }
            }
            throw new IOException("no port was taken for listener " + listener + " at " + address);
        };
    }

    private static ServerSocketChannel bind(int number) throws IOException {
        ServerSocketChannel socket = ServerSocketChannel.open();
        try {
            socket.configureBlocking(false);
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            return socket.bind(new InetSocketAddress(loopback, number), BACKLOG);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
