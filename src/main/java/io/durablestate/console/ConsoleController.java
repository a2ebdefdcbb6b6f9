package io.durablestate.console;

import io.swagger.v3.oas.annotations.Hidden;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The one document of the console. Every address of a page is one segment below {@code /console/}, and everything in it is
 * relative to that, so that it also works behind a proxy under a prefix.
 */
@Controller
@Hidden
class ConsoleController {

    private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

    /** Nothing from elsewhere, nothing inline. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final ConsoleFiles files;

    ConsoleController(ConsoleFiles files) {
        this.files = files;
    }

    @GetMapping("/console")
    ResponseEntity<Void> withoutASlash() {
        return ResponseEntity.status(HttpStatus.PERMANENT_REDIRECT)
                .location(UriComponentsBuilder.fromPath("console/").build().toUri())
                .build();
    }

    @GetMapping("/console/")
    ResponseEntity<Resource> overview() {
        return page();
    }

    /** Which pages there are is for the document to say. */
    @GetMapping("/console/{page:[a-z]+}")
    ResponseEntity<Resource> page() {
        return ResponseEntity.ok()
                .contentType(HTML)
                .cacheControl(CacheControl.noCache())
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "same-origin")
                .header(HttpHeaders.CONTENT_LANGUAGE, "en")
                .body(files.document());
    }
}
