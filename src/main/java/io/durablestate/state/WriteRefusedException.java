package io.durablestate.state;

/** A conditional write did not take effect: what it asked for does not hold. Nobody sees it, and nobody ever will. */
public final class WriteRefusedException extends RuntimeException {

    private final transient Refusal refusal;
    private final String writeId;

    WriteRefusedException(Refusal refusal, String writeId) {
        super(textOf(refusal));
        this.refusal = refusal;
        this.writeId = writeId;
    }

    private static String textOf(Refusal refusal) {
        if (refusal instanceof Refusal.Fenced fenced) {
            Attempt current = fenced.current();
            String holder = current == null
                    ? "a newer claim"
                    : "attempt %d%s"
                            .formatted(
                                    current.number(),
                                    current.worker() == null ? "" : " of worker \"%s\"".formatted(current.worker()));
            return fenced.closed()
                    ? "Attempt %d cannot write any more: %s, the last one, was closed"
                            .formatted(fenced.attempt(), holder)
                    : "Attempt %d cannot write any more: %s holds the key".formatted(fenced.attempt(), holder);
        }
        Revision current = ((Refusal.Mismatch) refusal).current();
        return current == null ? "There is no such state now" : "The state has the revision %s now".formatted(current);
    }

    public Refusal refusal() {
        return refusal;
    }

    /** The write that was refused. */
    public String writeId() {
        return writeId;
    }
}
