package io.durablestate.web;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Answers in JSON, whatever the caller says it accepts: there is no other form. */
final class JsonAnswers {

    private JsonAnswers() {}

    static <T> ResponseEntity<T> ok(T body) {
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(body);
    }
}
