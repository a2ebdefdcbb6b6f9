package io.durablestate.web;

import io.durablestate.failure.Problem;
import java.util.Map;

/** A request that fails for a reason which the web side finds out by itself; nothing was sent to Kafka. */
final class ProblemException extends RuntimeException {

    private final Problem problem;
    private final String detail;
    private final transient Map<String, Object> extras;

    private ProblemException(Problem problem, String detail, Map<String, Object> extras) {
        super(detail);
        this.problem = problem;
        this.detail = detail;
        this.extras = extras;
    }

    static ProblemException of(Problem problem, String detail) {
        return new ProblemException(problem, detail, Map.of());
    }

    static ProblemException of(Problem problem, String detail, Map<String, Object> extras) {
        return new ProblemException(problem, detail, extras);
    }

    /** A query parameter or header that is not as it must be. */
    static ProblemException invalidParameter(String name, String fault, String allowed) {
        return new ProblemException(
                Problem.INVALID_PARAMETER,
                "%s %s; allowed: %s".formatted(name, fault, allowed),
                Map.of("parameter", name, "allowed", allowed));
    }

    Problem problem() {
        return problem;
    }

    String detail() {
        return detail;
    }

    /** What the answer says beside the detail, by name. */
    Map<String, Object> extras() {
        return extras;
    }
}
