package io.durablestate.web;

import io.durablestate.DurableStateProperties;
import io.durablestate.state.NotServingException;
import io.durablestate.state.NotServingException.Reason;
import jakarta.servlet.http.HttpServletRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Takes in bodies, so many at a time and no more: callers that send slowly keep threads from nobody else. */
@Component
final class Uploads {

    /** How long a body may wait for its turn: enough for a burst of callers that send at once. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Semaphore places;
    private final int limit;

    Uploads(DurableStateProperties properties) {
        this.limit = properties.limits().uploads();
        this.places = new Semaphore(limit, true);
    }

    /**
     * Reads a body to its end, or until it is longer than the limit by one byte. Blocks while the caller sends it.
     *
     * @param most bytes that are of interest
     * @throws NotServingException when as many bodies are on their way as may be
     * @throws IOException when the caller goes away before the end
     */
    byte[] read(HttpServletRequest request, int most) throws IOException {
        awaitPlace();
        try {
            byte[] body = request.getInputStream().readNBytes(most + 1);
            long declared = request.getContentLengthLong();
            if (body.length <= most && declared >= 0 && body.length != declared) {
                throw new EOFException("The body ended after %d of %d bytes".formatted(body.length, declared));
            }
            return body;
        } finally {
            places.release();
        }
    }

    private void awaitPlace() throws IOException {
        try {
            if (!places.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new NotServingException(
                        Reason.OVERLOADED,
                        "As many bodies are being sent as durable-state.limits.uploads allows: %d".formatted(limit));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted before the body was read");
        }
    }
}
