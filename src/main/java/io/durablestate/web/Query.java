package io.durablestate.web;

import io.durablestate.state.Consistency;
import io.durablestate.state.InvalidStateKeyException;
import io.durablestate.state.Revision;
import io.durablestate.state.StateKey;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a request, taken strictly: a name that is not known, one that is given twice, or a value that is
 * not percent-encoded UTF-8 is refused, never ignored.
 */
final class Query {

    private static final Duration SHORTEST_EXPECTATION = Duration.ofSeconds(1);
    private static final Duration LONGEST_EXPECTATION = Duration.ofDays(366);

    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads the query of a request.
     *
     * @param allowed the names that may be given
     * @throws ProblemException naming the parameter that is refused and why
     */
    static Query of(HttpServletRequest request, String... allowed) {
        Map<String, String> values = new LinkedHashMap<>();
        String raw = request.getQueryString();
        if (raw != null) {
            for (String pair : raw.split("&", -1)) {
                if (!pair.isEmpty()) {
                    read(pair, List.of(allowed), values);
                }
            }
        }
        return new Query(values);
    }

    private static void read(String pair, List<String> allowed, Map<String, String> values) {
        int equals = pair.indexOf('=');
        String name = decode("the query", equals < 0 ? pair : pair.substring(0, equals));
        String value = decode(name, equals < 0 ? "" : pair.substring(equals + 1));
        if (!allowed.contains(name)) {
            throw ProblemException.invalidParameter(
                    name.isEmpty() ? "the empty name" : name, "is not known here", oneOf(allowed));
        }
        if (values.put(name, value) != null) {
            throw ProblemException.invalidParameter(name, "is given twice", "once");
        }
    }

    private static String decode(String name, String encoded) {
        return PercentEncoding.decode(encoded.replace('+', ' '))
                .orElseThrow(() -> ProblemException.invalidParameter(
                        name,
                        "is not percent-encoded UTF-8",
                        "UTF-8, every byte that is not a letter or digit percent-encoded"));
    }

    private static String oneOf(List<String> allowed) {
        return allowed.isEmpty() ? "no parameters" : String.join(", ", allowed);
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    String requiredText(String name, String allowed) {
        String value = values.get(name);
        if (value == null) {
            throw ProblemException.invalidParameter(name, "is missing", allowed);
        }
        return value;
    }

    /** A key or an action, absent or legal. */
    @Nullable
    String segment(String name) {
        String value = values.get(name);
        if (value != null) {
            requireSegment(name, value);
        }
        return value;
    }

    String requiredSegment(String name) {
        String value = requiredText(name, "a legal " + name);
        requireSegment(name, value);
        return value;
    }

    private static void requireSegment(String name, String value) {
        try {
            StateKey.requireSegment(name, value);
        } catch (InvalidStateKeyException e) {
            throw ProblemException.invalidParameter(name, e.fault(), e.allowed());
        }
    }

    /** True, false, or absent. */
    @Nullable
    Boolean flag(String name) {
        String value = values.get(name);
        if (value == null) {
            return null;
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw ProblemException.invalidParameter(name, "is neither true nor false", "true, false");
        };
    }

    boolean isSet(String name) {
        return Boolean.TRUE.equals(flag(name));
    }

    /** A number from 0 on. */
    @Nullable
    Long number(String name) {
        return number(name, 0, Long.MAX_VALUE);
    }

    private @Nullable Long number(String name, long min, long max) {
        String value = values.get(name);
        if (value == null) {
            return null;
        }
        Long number = WholeNumber.parse(value);
        if (number == null || number < min || number > max) {
            throw ProblemException.invalidParameter(
                    name,
                    "is not a number in range",
                    "a decimal number from %d to %d, without leading zeros".formatted(min, max));
        }
        return number;
    }

    long requiredNumber(String name) {
        requiredText(name, WholeNumber.ALLOWED);
        Long number = number(name);
        return number == null ? 0 : number;
    }

    /** A moment, null when not given. */
    @Nullable
    Instant instant(String name) {
        String value = values.get(name);
        try {
            return value == null ? null : Instant.parse(value);
        } catch (DateTimeParseException e) {
            throw ProblemException.invalidParameter(
                    name, "is not a time in UTC", "a time such as 2026-11-30T21:40:02Z");
        }
    }

    /** How many items a page has: 1 to 1000, 50 when not given. */
    int limit() {
        Long limit = number("limit", 1, 1000);
        return limit == null ? 50 : limit.intValue();
    }

    /** Whether a read must see every write that was acknowledged before it. */
    boolean isStrong() {
        String value = values.get("consistency");
        if (value != null && !value.equals("strong")) {
            throw ProblemException.invalidParameter("consistency", "is not known", "strong");
        }
        return value != null;
    }

    /** How new a read of a state must be. */
    Consistency consistency() {
        String atLeast = values.get("atLeast");
        Revision revision = atLeast == null
                ? null
                : Revision.parse(atLeast)
                        .orElseThrow(() -> ProblemException.invalidParameter(
                                "atLeast", "is not a revision", "a revision without quotes, such as 3-1042"));
        return new Consistency(isStrong(), revision);
    }

    /** How long the next write of the key may take, null when none is expected. */
    @Nullable
    Duration expectWithin() {
        String value = values.get("expectWithin");
        return value == null ? null : expectation(value);
    }

    /** @throws ProblemException when the text is not a duration in range */
    static Duration expectation(String value) {
        Duration duration = null;
        try {
            duration = Duration.parse(value);
        } catch (DateTimeParseException e) {
            // not a duration: refused below
        }
        if (duration == null
                || duration.compareTo(SHORTEST_EXPECTATION) < 0
                || duration.compareTo(LONGEST_EXPECTATION) > 0) {
            throw ProblemException.invalidParameter(
                    "expectWithin",
                    "is not a duration in range",
                    "an ISO 8601 duration such as PT90S, from %s to %s"
                            .formatted(SHORTEST_EXPECTATION, LONGEST_EXPECTATION));
        }
        return duration;
    }

    /** One of the words of an enum: lower case, with hyphens. */
    <E extends Enum<E>> @Nullable E word(String name, Class<E> type, Function<E, String> wordOf) {
        String value = values.get(name);
        if (value == null) {
            return null;
        }
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> wordOf.apply(constant).equals(value))
                .findFirst()
                .orElseThrow(() -> ProblemException.invalidParameter(
                        name,
                        "is not known",
                        String.join(
                                ", ",
                                Arrays.stream(type.getEnumConstants())
                                        .map(wordOf)
                                        .toList())));
    }
}
