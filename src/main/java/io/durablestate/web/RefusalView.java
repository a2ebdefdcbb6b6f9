package io.durablestate.web;

import io.durablestate.state.Attempt;
import io.durablestate.state.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an answer says of a conditional write that did not take effect. */
final class RefusalView {

    private RefusalView() {}

    /** Names and values beside the detail; a value may be null. */
    static Map<String, @Nullable Object> of(Refusal refusal) {
        Map<String, @Nullable Object> extras = new LinkedHashMap<>();
        if (refusal instanceof Refusal.Fenced fenced) {
            Attempt current = fenced.current();
            extras.put("attempt", fenced.attempt());
            extras.put("worker", fenced.worker());
            extras.put("currentAttempt", current == null ? null : current.number());
            extras.put("currentWorker", current == null ? null : current.worker());
        } else if (refusal instanceof Refusal.Mismatch mismatch) {
            extras.put(
                    "currentRevision",
                    mismatch.current() == null ? null : mismatch.current().toString());
        }
        return extras;
    }
}
