package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/**
 * Which states to list; an absent criterion lets every state through.
 *
 * @param key exactly this business key
 * @param prefix business keys that start with this text
 * @param sequenceFrom sequences from here on
 * @param sequenceTo sequences up to here, inclusive
 * @param action exactly this action
 * @param completed whether the action is done
 * @param attempt written by this attempt
 * @param cached whether this instance has the body in memory
 * @param overdue whether the next write of the key is overdue
 */
public record StateFilter(
        @Nullable String key,
        @Nullable String prefix,
        @Nullable Long sequenceFrom,
        @Nullable Long sequenceTo,
        @Nullable String action,
        @Nullable Boolean completed,
        @Nullable Long attempt,
        @Nullable Boolean cached,
        @Nullable Boolean overdue) {

    /** A filter that does not ask whether the next write of the key is overdue. */
    public StateFilter(
            @Nullable String key,
            @Nullable String prefix,
            @Nullable Long sequenceFrom,
            @Nullable Long sequenceTo,
            @Nullable String action,
            @Nullable Boolean completed,
            @Nullable Long attempt,
            @Nullable Boolean cached) {
        this(key, prefix, sequenceFrom, sequenceTo, action, completed, attempt, cached, null);
    }

    /** Every state of one business key. */
    public static StateFilter ofKey(String key) {
        return new StateFilter(key, null, null, null, null, null, null, null);
    }

    /** Where in the order the first match can be. */
    StateKey start() {
        if (key != null) {
            return StateKey.before(key);
        }
        return StateKey.before(prefix != null ? prefix : "");
    }

    /** Whether no state from here on in the order can match. */
    boolean isPast(StateKey candidate) {
        boolean pastKey = key != null && candidate.key().compareTo(key) > 0;
        boolean pastPrefix = prefix != null
                && candidate.key().compareTo(prefix) > 0
                && !candidate.key().startsWith(prefix);
        return pastKey || pastPrefix;
    }

    boolean matches(StateKey candidate, StateVersion version) {
        return (key == null || key.equals(candidate.key()))
                && (prefix == null || candidate.key().startsWith(prefix))
                && (sequenceFrom == null || candidate.sequence() >= sequenceFrom)
                && (sequenceTo == null || candidate.sequence() <= sequenceTo)
                && (action == null || action.equals(candidate.action()))
                && (completed == null || completed == version.completed())
                && (attempt == null || attempt.equals(version.attempt()));
    }
}
