package io.durablestate.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.RequestDispatcher;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;

class ErrorFallbackTests {

    private static ResponseEntity<ProblemDetail> answer(Integer status) {
        MockHttpServletRequest request = new MockHttpServletRequest("PUT", "/error");
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, status);
        request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, "/api/v1/states/order-42");
        return new ErrorFallback().error(request);
    }

    @ParameterizedTest
    @CsvSource({"400, not-persisted", "404, not-persisted", "413, not-persisted", "500, unknown", "503, unknown"})
    void answersInTheFormOfAllOtherErrors(int status, String outcome) {
        ResponseEntity<ProblemDetail> answer = answer(status);
        ProblemDetail detail = requireNonNull(answer.getBody());
        assertThat(answer.getStatusCode().value()).isEqualTo(status);
        assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
        assertThat(detail.getStatus()).isEqualTo(status);
        assertThat(detail.getInstance()).isEqualTo(URI.create("/api/v1/states/order-42"));
        assertThat(detail.getProperties()).containsEntry("outcome", outcome);
        assertThat(detail.getDetail()).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({"400, not well-formed", "404, nothing at this address", "408, too long to arrive"})
    void saysWhatIsWrong(int status, String text) {
        assertThat(requireNonNull(answer(status).getBody()).getDetail()).contains(text);
    }

    @Test
    void answersAlsoForAnAddressThatIsNoUri() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/error");
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, 404);
        request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, "//");
        assertThat(new ErrorFallback().error(request).getStatusCode().value()).isEqualTo(404);
    }

    @Test
    void isNothingToBeAskedForByItself() {
        assertThat(answer(null).getStatusCode().value()).isEqualTo(404);
        assertThat(answer(299).getStatusCode().value()).isEqualTo(404);
    }
}
