package io.durablestate.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some states, in order.
 *
 * @param next the last state of this page when there may be more behind it, else null
 */
public record StatePage(List<Item> items, @Nullable StateKey next) {

    /**
     * A state in a list.
     *
     * @param cached whether this instance has its body in memory
     */
    public record Item(StateReceipt receipt, boolean cached) {}
}
