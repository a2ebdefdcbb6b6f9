package io.durablestate.state;

import java.util.stream.LongStream;

/** Seeds of tests on random input; {@code -Dtest.seed=17} runs them with that one only. */
final class FoldSeeds {

    private FoldSeeds() {}

    static LongStream first(int count) {
        Long only = Long.getLong("test.seed");
        return only == null ? LongStream.range(0, count) : LongStream.of(only);
    }
}
