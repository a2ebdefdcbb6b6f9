package io.durablestate.web;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.ProblemDetail;
import org.springframework.web.util.UriUtils;

/** Names the request in a problem. */
final class ProblemInstance {

    private ProblemInstance() {}

    /** Sets the instance: the address as it was sent, or encoded as a whole when it is no URI. */
    static void set(ProblemDetail detail, String address) {
        detail.setInstance(uriOf(address));
    }

    private static URI uriOf(String address) {
        try {
            return new URI(address);
        } catch (URISyntaxException e) {
            return URI.create(UriUtils.encode(address, StandardCharsets.UTF_8));
        }
    }
}
