package io.durablestate.web;

import java.io.IOException;
import java.io.Writer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** Answers requests that are so malformed that Tomcat refuses them. Made by Tomcat, by name. */
public final class TomcatErrors extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, @Nullable Throwable throwable) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        HttpStatus known = HttpStatus.resolve(status);
        String title = known == null ? "Error" : known.getReasonPhrase();
        response.setContentType("application/problem+json");
        response.setCharacterEncoding("UTF-8");
        try {
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write(
                        "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\",\"outcome\":\"%s\"}"
                                .formatted(
                                        title,
                                        status,
                                        "The request is not valid HTTP: its line, a header or a percent-escape is malformed, or too long",
                                        status < 500 ? "not-persisted" : "unknown"));
                response.finishResponse();
            }
        } catch (IOException | IllegalStateException e) {
            // The caller is gone; nobody is left to be told.
            container.getLogger().debug("An error could not be reported", e);
        }
    }
}
