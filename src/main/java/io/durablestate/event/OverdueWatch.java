package io.durablestate.event;

import io.durablestate.state.Deadline;
import io.durablestate.state.FoldedLog;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Tells once of each key that becomes overdue, as long as this instance runs. */
@Component
final class OverdueWatch {

    private final FoldedLog foldedLog;
    private final EventLog events;
    private final Clock clock;
    private final Set<Deadline> told = new HashSet<>();

    OverdueWatch(FoldedLog foldedLog, EventLog events, Clock clock) {
        this.foldedLog = foldedLog;
        this.events = events;
        this.clock = clock;
    }

    @Scheduled(fixedDelayString = "PT1S")
    void look() {
        List<Deadline> overdue = foldedLog.overdue(clock.instant());
        told.retainAll(new HashSet<>(overdue));
        for (Deadline deadline : overdue) {
            if (told.add(deadline)) {
                events.tellAside(new StateEvent.Overdue(deadline));
            }
        }
    }
}
