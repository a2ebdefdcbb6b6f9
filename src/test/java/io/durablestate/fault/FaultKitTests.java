package io.durablestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.state.NotServingException.Reason;
import io.durablestate.state.Operation;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FaultKitTests {

    private final FaultKit kit = new FaultKit();

    private static Fault fault(
            FaultKind kind, int count, @Nullable Operation operation, @Nullable String key, @Nullable String prefix) {
        return new Fault(kind, count, operation, key, prefix, Reason.OVERLOADED, Duration.ofSeconds(1));
    }

    private @Nullable FaultKind strike(Operation operation, @Nullable String key) {
        kit.begin(operation, key);
        FaultKind current = kit.current();
        kit.end();
        assertThat(kit.current()).isNull();
        return current;
    }

    @Test
    void aFaultStrikesSoManyWritesAndNoMore() {
        kit.arm(List.of(fault(FaultKind.DELAY, 2, null, null, null)));
        assertThat(strike(Operation.PUT, "a")).isEqualTo(FaultKind.DELAY);
        assertThat(strike(Operation.BATCH, null)).isEqualTo(FaultKind.DELAY);
        assertThat(strike(Operation.PUT, "a")).isNull();
        assertThat(kit.armed()).extracting(FaultKit.Armed::fired).containsExactly(2);
    }

    @Test
    void aFaultStrikesWhatMatches() {
        kit.arm(List.of(
                fault(FaultKind.REJECT, 9, Operation.DELETE, null, null),
                fault(FaultKind.LOSE_ANSWER, 9, null, "order-42", null),
                fault(FaultKind.DELAY, 9, Operation.PUT, null, "job-")));
        assertThat(strike(Operation.DELETE, "order-42")).isEqualTo(FaultKind.REJECT);
        assertThat(strike(Operation.PUT, "order-42")).isEqualTo(FaultKind.LOSE_ANSWER);
        assertThat(strike(Operation.PUT, "order-420")).isNull();
        assertThat(strike(Operation.PUT, "job-1")).isEqualTo(FaultKind.DELAY);
        assertThat(strike(Operation.CLAIM, "job-1")).isNull();
        assertThat(strike(Operation.BATCH, null)).isNull();
    }

    @Test
    void whatIsArmedReplacesWhatWasArmed() {
        kit.arm(List.of(fault(FaultKind.DELAY, 1, null, null, null)));
        kit.arm(List.of(fault(FaultKind.REJECT, 1, null, null, null)));
        assertThat(strike(Operation.PUT, "a")).isEqualTo(FaultKind.REJECT);
        assertThat(strike(Operation.PUT, "a")).isNull();
        kit.arm(List.of());
        assertThat(kit.armed()).isEmpty();
    }
}
