package io.durablestate.state;

import static org.awaitility.Awaitility.await;

import io.durablestate.DurableStateProperties;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;

/** A service on a replayed log that is empty, with all that stands around it. */
final class ServiceUnderTest {

    static final StateFilter EVERYTHING = new StateFilter(null, null, null, null, null, null, null, null);

    /** Every way in which the steps of a write can fail. */
    enum Fault {
        SEND_THROWS,
        SEND_IS_REJECTED,
        FLUSH_FAILS,
        FLUSH_IS_INTERRUPTED,
        ACKNOWLEDGEMENT_FAILS,
        WAIT_IS_INTERRUPTED
    }

    /** A write that fails. */
    interface Write {
        Object run() throws InterruptedException;
    }

    final FoldedLog foldedLog;
    final FakeStateLog log;
    final OpenGate gate = new OpenGate();
    final ToldEvents told = new ToldEvents();
    final MovableClock clock = new MovableClock();
    final StateWrites writes;
    final Restorer restorer;
    final DurableStateService service;
    final BatchService batches;
    final ClaimLog claims;

    ServiceUnderTest() {
        this("256MB");
    }

    /** @param cacheBytes how much the attempt cache holds */
    ServiceUnderTest(String cacheBytes) {
        // A short wait for the log, so that a test of a reader that does not come soon ends.
        DurableStateProperties settings =
                Settings.with("cache.max-bytes", cacheBytes, "limits.log-read-timeout", "200ms");
        foldedLog = new FoldedLog(settings, List.of());
        log = new FakeStateLog(foldedLog);
        writes = new StateWrites(settings, log, foldedLog, gate, List.of(told));
        Bodies bodies = new Bodies(log, foldedLog);
        restorer = new Restorer(log, foldedLog, bodies, writes, gate, clock);
        Arbiter arbiter = new Arbiter(writes, foldedLog, restorer);
        Pruner pruner = new Pruner(foldedLog, writes, arbiter);
        service = new DurableStateService(log, foldedLog, gate, writes, arbiter, bodies, pruner, clock);
        batches = new BatchService(foldedLog, writes, arbiter);
        claims = new ClaimLog(foldedLog, gate, writes);
        foldedLog.startReplay(FakeStateLog.PARTITIONS);
        foldedLog.endReplay();
    }

    static StateDocument document(String text) {
        return new StateDocument("text/plain", text.getBytes(StandardCharsets.UTF_8), false);
    }

    static StateDocument completed(String text) {
        return new StateDocument("text/plain", text.getBytes(StandardCharsets.UTF_8), true);
    }

    /** What a read shows, as text. */
    Optional<String> textOf(StateKey key) throws InterruptedException {
        return service.read(key).map(state -> new String(state.body(), StandardCharsets.UTF_8));
    }

    List<StateKey> listed(StateFilter filter) {
        List<StateKey> keys = new ArrayList<>();
        service.list(filter, null, Integer.MAX_VALUE)
                .items()
                .forEach(item -> keys.add(item.receipt().key()));
        return keys;
    }

    /** A caller that waits for its acknowledgement, which is not given. */
    <T> Caller<T> waitsInVain(java.util.concurrent.Callable<T> write) {
        log.producer().flushInVain();
        long before = waits();
        Caller<T> caller = Caller.calls(write);
        await().atMost(Caller.PATIENCE).until(() -> waits() > before && caller.isWaiting());
        return caller;
    }

    private long waits() {
        return log.steps().stream().filter("wait"::equals).count();
    }

    /** Has a write fail, and all be well again afterwards. */
    Caller<Object> fails(Fault fault, Write write) {
        Caller<Object> caller;
        switch (fault) {
            case SEND_THROWS -> {
                log.producer().sendException = new IllegalStateException("Producer closed");
                caller = Caller.calls(write::run);
                caller.awaitEnd();
                log.producer().sendException = null;
            }
            case SEND_IS_REJECTED -> {
                log.producer().rejectOnSend(record -> Optional.of(new TimeoutException("No metadata")));
                caller = Caller.calls(write::run);
                caller.awaitEnd();
                log.producer().rejectOnSend(record -> Optional.empty());
            }
            case FLUSH_FAILS -> {
                log.producer().failFlushWith(new IllegalStateException("Producer closed"));
                caller = Caller.calls(write::run);
                caller.awaitEnd();
            }
            case FLUSH_IS_INTERRUPTED -> {
                log.producer().flushForever();
                int before = log.steps().size();
                caller = Caller.calls(write::run);
                await().atMost(Caller.PATIENCE)
                        .until(() -> log.steps().lastIndexOf("flush") >= before && caller.isWaiting());
                caller.interrupt();
                caller.awaitEnd();
            }
            case ACKNOWLEDGEMENT_FAILS -> {
                log.producer().rejectOnAnswer(record -> Optional.of(new NotEnoughReplicasException("2 of 3")));
                caller = Caller.calls(write::run);
                caller.awaitEnd();
                log.producer().rejectOnAnswer(record -> Optional.empty());
            }
            case WAIT_IS_INTERRUPTED -> {
                caller = waitsInVain(write::run);
                caller.interrupt();
                caller.awaitEnd();
            }
            default -> throw new AssertionError(fault);
        }
        log.producer().flushAsUsual();
        return caller;
    }
}
