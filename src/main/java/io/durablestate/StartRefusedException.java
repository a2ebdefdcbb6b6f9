package io.durablestate;

import org.jspecify.annotations.Nullable;

/** The service does not start as it is set up; says why and what to change. Shown without a stack trace. */
public class StartRefusedException extends RuntimeException {

    private final String action;

    /**
     * Refuses the start.
     *
     * @param message what is wrong, a sentence
     * @param action what to do about it, a sentence
     */
    public StartRefusedException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** What to do about it. */
    public String action() {
        return action;
    }
}
