package io.durablestate.web;

import io.durablestate.failure.Problem;
import io.swagger.v3.oas.annotations.Hidden;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** The pages that explain the problems, at the address that each problem's type names. */
@RestController
@Hidden
class ProblemPages {

    static final String PATH = "/problems/";

    private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");
    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>%1$s</title>
            <h1>%1$s</h1>
            <p><code>%2$s</code>, HTTP status %3$d</p>
            <h2>What it means</h2>
            <p>%4$s</p>
            <h2>What to do</h2>
            <p>%5$s</p>
            </html>
            """;

    @GetMapping(PATH + "{name}")
    ResponseEntity<String> page(@PathVariable String name) {
        return Problem.ofSlug(name)
                .map(problem -> html(
                        HttpStatus.OK,
                        PAGE.formatted(
                                HtmlUtils.htmlEscape(problem.title()),
                                problem.slug(),
                                problem.status(),
                                HtmlUtils.htmlEscape(problem.meaning()),
                                HtmlUtils.htmlEscape(problem.advice()))))
                .orElseGet(() -> html(
                        HttpStatus.NOT_FOUND, "<!doctype html><title>No such problem</title><h1>No such problem</h1>"));
    }

    private static ResponseEntity<String> html(HttpStatus status, String page) {
        return ResponseEntity.status(status)
                .contentType(HTML)
                .header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
                .header("X-Content-Type-Options", "nosniff")
                .body(page);
    }
}
