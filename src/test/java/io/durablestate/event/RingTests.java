package io.durablestate.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RingTests {

    private final Ring<String> ring = new Ring<>(3);

    @Test
    void isEmptyAtFirst() {
        assertThat(ring.first()).isZero();
        assertThat(ring.next()).isZero();
        assertThat(ring.from(0, 10)).isEmpty();
    }

    @Test
    void keepsTheNewestUnderTheirNumbers() {
        assertThat(ring.add("a")).isNull();
        assertThat(ring.add("b")).isNull();
        assertThat(ring.add("c")).isNull();
        assertThat(ring.first()).isZero();
        assertThat(ring.add("d")).isEqualTo("a");
        assertThat(ring.add("e")).isEqualTo("b");

        assertThat(ring.first()).isEqualTo(2);
        assertThat(ring.next()).isEqualTo(5);
        assertThat(ring.get(2)).isEqualTo("c");
        assertThat(ring.get(4)).isEqualTo("e");
        assertThat(ring.from(2, 10)).containsExactly("c", "d", "e");
        assertThat(ring.from(3, 1)).containsExactly("d");
        assertThat(ring.from(5, 10)).isEmpty();
    }
}
