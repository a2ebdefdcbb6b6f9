package io.durablestate.web;

import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.stereotype.Component;

/** A thread for each stream of events, a virtual one where there are such; streams are limited in number, threads are not. */
@Component
final class EventThreads implements AutoCloseable {

    private final SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("events-");

    EventThreads(Environment environment) {
        executor.setVirtualThreads(Threading.VIRTUAL.isActive(environment));
        executor.setDaemon(true);
    }

    void execute(Runnable stream) {
        executor.execute(stream);
    }

    @Override
    public void close() {
        executor.close();
    }
}
