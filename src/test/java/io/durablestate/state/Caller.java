package io.durablestate.state;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A caller on a thread of its own, as a request is. */
final class Caller<T> {

    /** Longer than anything takes here, however busy the machine is. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean interrupted;

    private Caller(Callable<T> call) {
        thread = new Thread(() -> run(call), "caller");
        thread.setDaemon(true);
        thread.start();
    }

    static <T> Caller<T> calls(Callable<T> call) {
        return new Caller<>(call);
    }

    private void run(Callable<T> call) {
        try {
            T result = call.call();
            interrupted = Thread.currentThread().isInterrupted();
            answer.complete(result);
        } catch (Exception e) {
            interrupted = Thread.currentThread().isInterrupted();
            answer.completeExceptionally(e);
        }
    }

    /** Whether it waits now, without a time limit. */
    boolean isWaiting() {
        return thread.getState() == Thread.State.WAITING;
    }

    void awaitEnd() {
        await().atMost(PATIENCE).until(answer::isDone);
    }

    boolean isThread(Thread other) {
        return thread == other;
    }

    void interrupt() {
        thread.interrupt();
    }

    T result() throws InterruptedException, ExecutionException, TimeoutException {
        return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What the call threw. */
    Throwable failure() throws InterruptedException, TimeoutException {
        try {
            T result = result();
            throw new AssertionError("The call returned " + result);
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** Whether the thread's interrupt flag was set when the call had ended. */
    boolean wasLeftInterrupted() {
        return interrupted;
    }
}
