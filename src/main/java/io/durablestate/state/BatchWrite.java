package io.durablestate.state;

import org.jspecify.annotations.Nullable;

/**
 * One write among several.
 *
 * @param document what to store, or null to delete the state
 */
public record BatchWrite(StateKey key, @Nullable StateDocument document, Terms terms) {

    /** What has to hold. A deletion stores nothing that could bear its name, so it is never applied already. */
    Terms conditions() {
        return document == null ? terms.withoutName() : terms;
    }
}
