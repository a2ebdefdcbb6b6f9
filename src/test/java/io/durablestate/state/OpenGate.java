package io.durablestate.state;

import io.durablestate.state.NotServingException.Reason;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gate that lets everything in until it is told not to, and counts the places that are taken. */
final class OpenGate implements Gate {

    private final AtomicInteger places = new AtomicInteger();
    private final AtomicInteger admissions = new AtomicInteger();
    private volatile @Nullable Reason replay;
    private volatile @Nullable NotServingException refusal;
    private volatile int admissionsBeforeRefusal;
    private volatile Wait holds = () -> {};
    private volatile boolean behind;

    /** The log is not replayed. */
    void startReplay(Reason why) {
        replay = why;
    }

    void refuseWrites(NotServingException why) {
        refuseWritesAfter(0, why);
    }

    /** Lets some more writes in, and none after these. */
    void refuseWritesAfter(int more, NotServingException why) {
        admissionsBeforeRefusal = admissions.get() + more;
        refusal = why;
    }

    /** Writes that are in. */
    int placesTaken() {
        return places.get();
    }

    int admissions() {
        return admissions.get();
    }

    /** What every write waits for before it is let in. */
    interface Wait {
        void await() throws InterruptedException;
    }

    void holdBack(Wait wait) {
        holds = wait;
    }

    @Override
    public Permit admitWrite(int partition) throws InterruptedException {
        holds.await();
        NotServingException why = refusal;
        if (why != null && admissions.get() >= admissionsBeforeRefusal) {
            throw why;
        }
        admissions.incrementAndGet();
        places.incrementAndGet();
        return places::decrementAndGet;
    }

    /** This instance is far behind the log. */
    void fallBehind() {
        behind = true;
    }

    @Override
    public void requireFollowing(int partition) {
        if (behind) {
            throw new NotServingException(Reason.RECOVERING, "This instance is far behind the log");
        }
    }

    @Override
    public void requireReplayed() {
        Reason why = replay;
        if (why != null) {
            throw new NotServingException(why, "The service is not ready");
        }
    }
}
