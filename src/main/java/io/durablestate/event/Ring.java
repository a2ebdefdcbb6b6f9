package io.durablestate.event;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The newest of all that was added, which is numbered from 0 on. Takes memory as it fills. Not safe for several threads. */
final class Ring<E> {

    private final int capacity;
    private final List<E> slots = new ArrayList<>();
    private long next;

    Ring(int capacity) {
        this.capacity = capacity;
    }

    /** Adds one; returns the oldest one if that had to go, else null. */
    @Nullable
    E add(E element) {
        int slot = (int) (next++ % capacity);
        if (slot == slots.size()) {
            slots.add(element);
            return null;
        }
        return slots.set(slot, element);
    }

    /** Number of the oldest one that is there. */
    long first() {
        return next - slots.size();
    }

    /** Number that the next one will have. */
    long next() {
        return next;
    }

    /** The one with a number that is not below {@link #first} and below {@link #next}. */
    E get(long number) {
        return slots.get((int) (number % capacity));
    }

    /** At most so many, from a number on, in order. */
    List<E> from(long number, int limit) {
        List<E> elements = new ArrayList<>();
        for (long i = number; i < next && elements.size() < limit; i++) {
            elements.add(get(i));
        }
        return elements;
    }
}
