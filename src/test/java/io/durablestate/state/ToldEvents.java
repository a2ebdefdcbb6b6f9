package io.durablestate.state;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it is told of writes. */
final class ToldEvents implements WriteListener {

    record Acknowledged(Operation operation, String writeId, WriteTimings timings) {}

    record Refused(Operation operation, NotServingException.Reason reason) {}

    private final List<String> words = new CopyOnWriteArrayList<>();
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final List<Acknowledged> acknowledged = new CopyOnWriteArrayList<>();
    private final List<FailedWrite> failed = new CopyOnWriteArrayList<>();
    private final List<Refused> refused = new CopyOnWriteArrayList<>();

    @Override
    public void begun(WriteIdentity write) {
        words.add("begun " + (write.state() == null ? write.key() : write.state()));
        begun.add(write.writeId());
    }

    @Override
    public void acknowledged(Operation operation, WriteIdentity write, Revision at, WriteTimings timings) {
        words.add("acknowledged " + operation);
        acknowledged.add(new Acknowledged(operation, write.writeId(), timings));
    }

    @Override
    public void failed(FailedWrite failure) {
        words.add("failed " + failure.operation());
        failed.add(failure);
    }

    @Override
    public void refused(Operation operation, NotServingException.Reason reason) {
        words.add("refused " + operation);
        refused.add(new Refused(operation, reason));
    }

    /** What happened, in order. */
    List<String> words() {
        return words;
    }

    /** Write ids. */
    List<String> begun() {
        return begun;
    }

    List<Acknowledged> acknowledged() {
        return acknowledged;
    }

    List<FailedWrite> failed() {
        return failed;
    }

    /** The one failure that there is. */
    FailedWrite onlyFailure() {
        if (failed.size() != 1) {
            throw new AssertionError("Not one failure but " + failed);
        }
        return failed.get(0);
    }

    List<Refused> refused() {
        return refused;
    }
}
