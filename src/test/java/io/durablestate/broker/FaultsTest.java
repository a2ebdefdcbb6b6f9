package io.durablestate.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.server.fault.FaultHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class FaultsTest {

    private final Faults faults = new Faults();
    private final FaultHandler fatal = faults.build("raft manager", true, () -> {});

    @BeforeEach
    void throwInsteadOfHalting() {
        Exit.setHaltProcedure((status, message) -> {
            throw new IllegalStateException("halted with " + status);
        });
    }

    @AfterEach
    void haltAgain() {
        Exit.resetHaltProcedure();
    }

    @Test
    void aStartWithoutFaultsHasNoFailure() {
        assertThat(faults.failureOf(() -> {})).isNull();
    }

    @Test
    void aFaultInAnotherThreadEndsAStartThatWaits() {
        Throwable failure = faults.failureOf(() -> {
            new Thread(() -> fatal.handleFault("no disk", new RuntimeException("gone"))).start();
            waitForever();
        });
        assertThat(failure).hasMessageContaining("raft manager: no disk").hasRootCauseMessage("gone");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aFaultSaysMoreThanTheExceptionThatFollowsIt() {
        Throwable failure = faults.failureOf(() -> {
            fatal.handleFault("no disk");
            throw new IllegalStateException("stopped");
        });
        assertThat(failure).hasMessageContaining("no disk");
    }

    @Test
    void aFatalFaultLaterHaltsTheProcess() {
        faults.failureOf(() -> {});
        assertThatIllegalStateException()
                .isThrownBy(() -> fatal.handleFault("no disk"))
                .withMessage("halted with 1");
    }

    @Test
    void aLesserFaultIsOnlyLogged() {
        FaultHandler lesser = faults.build("metadata publishing", false, () -> {});
        assertThat(lesser.handleFault("odd")).hasMessageContaining("odd");
    }

    private static void waitForever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
