package io.durablestate.state;

/** A part of a state key is not allowed; the message says which, why, and what is. */
public final class InvalidStateKeyException extends IllegalArgumentException {

    private final String segment;
    private final String fault;
    private final String allowed;

    /**
     * @param segment the part at fault, such as {@code key} or {@code sequence}
     * @param fault what is wrong with it, as the rest of a sentence that starts with the part
     * @param allowed what may stand there
     */
    public InvalidStateKeyException(String segment, String fault, String allowed) {
        super("%s %s; allowed: %s".formatted(segment, fault, allowed));
        this.segment = segment;
        this.fault = fault;
        this.allowed = allowed;
    }

    public String segment() {
        return segment;
    }

    public String fault() {
        return fault;
    }

    public String allowed() {
        return allowed;
    }
}
