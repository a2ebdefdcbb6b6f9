package io.durablestate.broker;

import java.util.concurrent.atomic.AtomicReference;
import kafka.server.FaultHandlerFactory;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.server.fault.FaultHandler;
import org.apache.kafka.server.fault.FaultHandlerException;
import org.apache.kafka.server.fault.LoggingFaultHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when the broker meets a fault that it cannot live with. While it starts, the start fails with that
 * fault. Later the process is halted: a broker that has lost its disk must not acknowledge anything more.
 */
final class Faults implements FaultHandlerFactory {

    private static final Logger log = LoggerFactory.getLogger(Faults.class);

    private final AtomicReference<@Nullable Thread> starting = new AtomicReference<>();
    private final AtomicReference<@Nullable RuntimeException> atStart = new AtomicReference<>();

    @Override
    public FaultHandler build(String name, boolean fatal, Runnable action) {
        return fatal ? (message, cause) -> handle(name, action, message, cause) : new LoggingFaultHandler(name, action);
    }

    /**
     * Runs the start of the broker in this thread; a fatal fault in any thread ends it.
     *
     * @return the fault, else what the start has thrown, or null when it has gone well
     */
    @Nullable
    Throwable failureOf(Runnable start) {
        starting.set(Thread.currentThread());
        Throwable failure = null;
        try {
            start.run();
        } catch (Throwable e) {
            failure = e;
        }
        starting.set(null);
        RuntimeException fault = atStart.getAndSet(null);
        if (fault != null) {
            Thread.interrupted();
            return fault;
        }
        return failure;
    }

    private RuntimeException handle(String name, Runnable action, String message, @Nullable Throwable cause) {
        RuntimeException fault = new FaultHandlerException(name + ": " + message, cause);
        action.run();
        Thread starter = starting.get();
        if (starter == null) {
            log.error("The embedded broker cannot go on and ends this process; what was acknowledged is kept", fault);
            Exit.halt(1);
        } else if (atStart.compareAndSet(null, fault) && starter != Thread.currentThread()) {
            starter.interrupt();
        }
        return fault;
    }
}
