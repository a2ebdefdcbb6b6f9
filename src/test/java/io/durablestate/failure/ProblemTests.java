package io.durablestate.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTests {

    /** The table of the HTTP contract; the last column says whether an answer says when to try again. */
    @ParameterizedTest
    @CsvSource({
        "invalid-key, 400, false",
        "malformed-json, 400, false",
        "empty-state, 400, false",
        "invalid-parameter, 400, false",
        "unauthorized, 401, false",
        "forbidden, 403, false",
        "state-not-found, 404, false",
        "attempt-not-found, 404, false",
        "failure-not-found, 404, false",
        "attempt-fenced, 409, false",
        "attempt-closed, 409, false",
        "position-gone, 410, false",
        "precondition-failed, 412, false",
        "state-too-large, 413, false",
        "unsupported-encoding, 415, false",
        "recovering, 503, true",
        "overloaded, 503, true",
        "kafka-unavailable, 503, true",
        "kafka-refused, 503, false",
        "not-enough-replicas, 503, true",
        "ack-timeout, 504, false",
        "interrupted, 503, false",
        "internal, 500, false"
    })
    void hasTheStatusOfTheContract(String slug, int status, boolean saysWhenToTryAgain) {
        Problem problem = Problem.ofSlug(slug).orElseThrow();
        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.isPassing()).isEqualTo(saysWhenToTryAgain);
    }

    @Test
    void isOneOfTheContract() {
        assertThat(Problem.values()).hasSize(23);
        assertThat(Problem.ofSlug("nonsense")).isEmpty();
        assertThat(Problem.ofSlug("ACK_TIMEOUT")).isEmpty();
        assertThat(Arrays.stream(Problem.values()).map(Problem::title)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void saysWhatItMeansAndWhatToDo(Problem problem) {
        assertThat(problem.title()).isNotBlank().doesNotEndWith(".");
        assertThat(problem.meaning()).isNotBlank().endsWith(".");
        assertThat(problem.advice()).isNotBlank().endsWith(".");
    }
}
