package io.durablestate.web;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads numbers from 0 to {@link Long#MAX_VALUE}, as they stand in addresses. */
final class WholeNumber {

    private static final Pattern DIGITS = Pattern.compile("0|[1-9][0-9]*");

    /** What it takes, for people. */
    static final String ALLOWED = "a decimal number from 0 to " + Long.MAX_VALUE + ", without leading zeros";

    private WholeNumber() {}

    /** @throws ProblemException naming the parameter or header that is not a number */
    static long require(String name, String text) {
        Long number = parse(text);
        if (number == null) {
            throw ProblemException.invalidParameter(name, "is not a number in range", ALLOWED);
        }
        return number;
    }

    /** The number that ASCII digits make, with no leading zeros, so that each has one name; null for anything else. */
    static @Nullable Long parse(String text) {
        if (!DIGITS.matcher(text).matches()) {
            return null;
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null; // larger than any
        }
    }
}
