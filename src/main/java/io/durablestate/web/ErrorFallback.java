package io.durablestate.web;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers errors that no controller was there to meet, in the form of all others. */
@RestController
@Hidden
class ErrorFallback implements ErrorController {

    @RequestMapping("${server.error.path:/error}")
    ResponseEntity<ProblemDetail> error(HttpServletRequest request) {
        HttpStatus status = statusOf(request);
        ProblemDetail detail = ProblemDetail.forStatus(status);
        detail.setDetail(textOf(status));
        if (request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String uri) {
            ProblemInstance.set(detail, uri);
        }
        detail.setProperty("outcome", status.is4xxClientError() ? "not-persisted" : "unknown");
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(detail);
    }

    private static HttpStatus statusOf(HttpServletRequest request) {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        HttpStatus status = code instanceof Integer number ? HttpStatus.resolve(number) : null;
        return status == null ? HttpStatus.NOT_FOUND : status;
    }

    private static String textOf(HttpStatus status) {
        return switch (status) {
            case BAD_REQUEST -> "The request is not well-formed HTTP";
            case NOT_FOUND -> "There is nothing at this address; /swagger-ui.html shows what there is";
            case REQUEST_TIMEOUT -> "The request took too long to arrive";
            default ->
                status.is4xxClientError()
                        ? "The request was refused before it was read"
                        : "The service could not answer; its log says why";
        };
    }
}
