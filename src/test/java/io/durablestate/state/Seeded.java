package io.durablestate.state;

import java.util.Random;

/** Runs a test on random input; a failure names the seed, and {@code -Dtest.seed=} runs it again with one. */
public final class Seeded {

    /** A test that draws its input. */
    @FunctionalInterface
    public interface RandomTest {
        void run(Random random) throws Exception;
    }

    private Seeded() {}

    public static void run(RandomTest test) {
        long seed = Long.getLong("test.seed", System.nanoTime());
        try {
            test.run(new Random(seed));
        } catch (Exception | AssertionError e) {
            throw new AssertionError("Failed with -Dtest.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    /** Text that a state key may have as one of its parts: short, and full of what needs care. */
    public static String segment(Random random) {
        String alphabet = "abc0 /%;\\\"'.,:{}[]<>&?#+~éёе\u0308\u00a0\u2028語\ufeff\uffff";
        StringBuilder text = new StringBuilder();
        for (int length = 1 + random.nextInt(12); length > 0; length--) {
            if (random.nextInt(8) == 0) {
                text.appendCodePoint(0x1F600 + random.nextInt(64));
            } else {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
        }
        String drawn = text.toString();
        return drawn.equals(".") || drawn.equals("..") ? drawn + "a" : drawn;
    }

    /** A state key full of what needs care. */
    public static StateKey stateKey(Random random) {
        long sequence = random.nextInt(4) == 0 ? random.nextLong() & Long.MAX_VALUE : random.nextInt(100);
        return StateKey.of(segment(random), sequence, segment(random), random.nextBoolean() ? segment(random) : null);
    }
}
