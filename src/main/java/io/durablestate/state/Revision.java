package io.durablestate.state;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a state was written: a partition of the state log and an offset in it, as text {@code partition-offset}.
 *
 * @param partition 0 or more
 * @param offset 0 or more
 */
public record Revision(int partition, long offset) {

    private static final Pattern TEXT = Pattern.compile("(0|[1-9]\\d{0,8})-(0|[1-9]\\d{0,18})");

    public Revision {
        if (partition < 0 || offset < 0) {
            throw new IllegalArgumentException(
                    "A revision is a partition and an offset of 0 or more, not %d-%d".formatted(partition, offset));
        }
    }

    /** Reads {@code partition-offset}; empty when the text is anything else, leading zeros included. */
    public static Optional<Revision> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Revision(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2))));
        } catch (NumberFormatException e) {
            return Optional.empty(); // larger than any offset
        }
    }

    @Override
    public String toString() {
        return partition + "-" + offset;
    }
}
