package io.durablestate.durability;

import java.util.Locale;

/** What an acknowledgement means on the cluster in use. */
public enum Verdict {
    /** Two or more copies have it. */
    REPLICATED("An acknowledged state is on at least two brokers"),
    /** One copy has it, by the way the topic is set up. */
    SINGLE_COPY("An acknowledged state is on one broker only"),
    /** Writes are acknowledged, with less behind it than the topic is set up for. */
    AT_RISK("An acknowledged state has fewer copies than it should"),
    /** Some or all writes are not acknowledged. */
    UNAVAILABLE("Some or all states cannot be acknowledged now");

    private final String sentence;

    Verdict(String sentence) {
        this.sentence = sentence;
    }

    /** What it means, without a full stop. */
    public String sentence() {
        return sentence;
    }

    /** The word in answers: lower case, with hyphens. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
