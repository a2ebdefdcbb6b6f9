package io.durablestate.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TomcatErrorsTests {

    @ParameterizedTest
    @CsvSource({
        "/api/v1/states/a%00b/7/x, key",
        "/api/v1/states/k/7/%2, action",
        "/context/api/v1/states/k/%zz/x, sequence",
        "/api/v1/states/k/7/x/%, event"
    })
    void nameThePartOfANameThatTomcatRefuses(String uri, String segment) {
        assertThat(TomcatErrors.problem(400, "PUT", uri))
                .containsEntry("type", "/problems/invalid-key")
                .containsEntry("segment", segment)
                .containsEntry("outcome", "not-persisted")
                .containsKeys("title", "status", "detail", "allowed");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"none", "/api/v1/states/k/7/x", "/elsewhere/%00"})
    void sayOfOtherRequestsThatTheyAreNotHttp(String uri) {
        assertThat(TomcatErrors.problem(400, "PUT", uri))
                .containsEntry("type", "about:blank")
                .containsEntry("title", "Bad Request")
                .containsEntry("outcome", "not-persisted")
                .doesNotContainKey("segment");
    }

    @ParameterizedTest
    @CsvSource({"414", "417", "431", "501", "505", "503"})
    void knowThatWhatWasRefusedWasNotWritten(int status) {
        assertThat(TomcatErrors.problem(status, "PUT", "/api/v1/states/k/7/x"))
                .containsEntry("status", status)
                .containsEntry("outcome", "not-persisted");
    }

    @Test
    void speakOfNoOutcomeOnReads() {
        assertThat(TomcatErrors.problem(400, "GET", "/api/v1/states/a%00b/7/x")).doesNotContainKey("outcome");
    }

    @Test
    void leaveTheOutcomeOpenWhenOurOwnCodeFailed() {
        assertThat(TomcatErrors.problem(500, "DELETE", "/api/v1/states/k/7/x")).containsEntry("outcome", "unknown");
    }
}
