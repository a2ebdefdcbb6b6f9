package io.durablestate.contract;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the service answered. */
@SuppressWarnings("ArrayRecordComponent") // read, never compared
record Answer(int status, HttpHeaders headers, byte[] body) {

    String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    JsonNode json() {
        return JsonMapper.shared().readTree(body);
    }

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** The slug of the problem. */
    String problem() {
        String type = json().path("type").stringValue("");
        return type.substring(type.lastIndexOf('/') + 1);
    }

    String outcome() {
        return json().path("outcome").stringValue("");
    }

    @Override
    public String toString() {
        return status + " " + text();
    }
}
