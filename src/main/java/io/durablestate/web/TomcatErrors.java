package io.durablestate.web;

import io.durablestate.failure.Outcome;
import io.durablestate.failure.Problem;
import io.durablestate.state.InvalidStateKeyException;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;

/** Answers requests that are so malformed that Tomcat refuses them. Made by Tomcat, by name. */
public final class TomcatErrors extends ErrorReportValve {

    private final JsonMapper json = JsonMapper.builder().build();

    @Override
    protected void report(Request request, Response response, @Nullable Throwable throwable) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        response.setContentType("application/problem+json");
        response.setCharacterEncoding("UTF-8");
        try {
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write(json.writeValueAsString(problem(status, request.getMethod(), request.getRequestURI())));
                response.finishResponse();
            }
        } catch (IOException | IllegalStateException e) {
            // The caller is gone; nobody is left to be told.
            container.getLogger().debug("An error could not be reported", e);
        }
    }

    /**
     * What is said of a refused request.
     *
     * @param method its method, null when Tomcat did not get so far
     * @param uri its path as it was sent, null when Tomcat did not get so far
     */
    static Map<String, Object> problem(int status, @Nullable String method, @Nullable String uri) {
        InvalidStateKeyException illegal = status == HttpStatus.BAD_REQUEST.value() ? illegalName(uri) : null;
        Map<String, Object> problem = new LinkedHashMap<>();
        if (illegal != null) {
            problem.put("type", Problem.INVALID_KEY.page());
            problem.put("title", Problem.INVALID_KEY.title());
            problem.put("status", status);
            problem.put("detail", String.valueOf(illegal.getMessage()));
            problem.put("segment", illegal.segment());
            problem.put("allowed", illegal.allowed());
        } else {
            HttpStatus known = HttpStatus.resolve(status);
            problem.put("type", "about:blank");
            problem.put("title", known == null ? "Error" : known.getReasonPhrase());
            problem.put("status", status);
            problem.put("detail", detail(status));
        }
        if (method == null || ApiErrors.isWrite(method)) {
            // Only an error of our own comes after a controller has begun.
            boolean begun = status == HttpStatus.INTERNAL_SERVER_ERROR.value();
            problem.put("outcome", (begun ? Outcome.UNKNOWN : Outcome.NOT_PERSISTED).word());
        }
        return problem;
    }

    private static @Nullable InvalidStateKeyException illegalName(@Nullable String uri) {
        if (uri == null || !uri.contains(StatePath.STATES + "/")) {
            return null;
        }
        try {
            StatePath.parse(uri);
            return null;
        } catch (InvalidStateKeyException e) {
            return e;
        }
    }

    private static String detail(int status) {
        return switch (status) {
            case 400 ->
                "The request is not valid HTTP: its line, a header or a percent-escape is malformed, or too long";
            case 414 -> "The address is too long";
            case 417 -> "The only expectation that is met is 100-continue";
            case 431 -> "The headers are too long";
            case 501 -> "The method or the transfer coding is not one that HTTP knows";
            case 505 -> "The HTTP version is not one that is spoken here: use HTTP/1.1";
            default -> "The request was refused before it reached the service";
        };
    }
}
