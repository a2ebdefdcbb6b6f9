package io.durablestate.console;

import io.durablestate.failure.Problem;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** The pages that explain the problems, at the address that each problem's type names. They look like the console. */
@RestController
@Hidden
class ProblemPages {

    private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");
    private static final String POLICY =
            "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>%1$s – Durable State</title>
            %2$s
            </head>
            <body>
            <header class="shell">
            <a class="brand" href="../console/">Durable State</a>
            <nav aria-label="Pages"><a href="../console/failures">Failures</a><a href="../swagger-ui.html">API</a></nav>
            </header>
            <main>
            <h1>%1$s</h1>
            %3$s
            </main>
            </body>
            </html>
            """;

    private static final String PROBLEM = """
            <p><code>%1$s</code>, HTTP status %2$d</p>
            <section class="card">
            <h2>What it means</h2>
            <p>%3$s</p>
            <h2>What to do</h2>
            <p>%4$s</p>
            </section>
            <p><a href="./">All problems</a></p>
            """;

    private static final String TABLE = table();

    private final String links;

    ProblemPages(ConsoleFiles files) {
        links = files.links("../console/");
    }

    @GetMapping(Problem.PAGES)
    ResponseEntity<String> list() {
        return html(HttpStatus.OK, "What can go wrong", TABLE);
    }

    @GetMapping(Problem.PAGES + "{name}")
    ResponseEntity<String> page(@PathVariable String name) {
        return Problem.ofSlug(name)
                .map(problem -> html(
                        HttpStatus.OK,
                        problem.title(),
                        PROBLEM.formatted(
                                problem.slug(),
                                problem.status(),
                                HtmlUtils.htmlEscape(problem.meaning()),
                                HtmlUtils.htmlEscape(problem.advice()))))
                .orElseGet(
                        () -> html(HttpStatus.NOT_FOUND, "No such problem", "<p>These are all there are.</p>" + TABLE));
    }

    private static String table() {
        return Arrays.stream(Problem.values())
                .map(problem -> "<tr><td><a href=\"%s\">%s</a></td><td>%d</td><td class=\"long\">%s</td></tr>"
                        .formatted(
                                problem.slug(),
                                problem.slug(),
                                problem.status(),
                                HtmlUtils.htmlEscape(problem.title())))
                .collect(Collectors.joining(
                        "\n",
                        "<div class=\"scroll\"><table><thead><tr><th>Problem</th><th>Status</th><th>Title</th></tr></thead>"
                                + "<tbody>\n",
                        "\n</tbody></table></div>"));
    }

    private ResponseEntity<String> html(HttpStatus status, String title, String content) {
        return ResponseEntity.status(status)
                .contentType(HTML)
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .body(PAGE.formatted(HtmlUtils.htmlEscape(title), links, content));
    }
}
