package io.durablestate.web;

import java.net.URI;
import java.net.URISyntaxException;
import org.springframework.http.ProblemDetail;

/** Names the request in a problem, where its address is one. */
final class ProblemInstance {

    private ProblemInstance() {}

    /** Sets the instance, unless the address, as it was sent, is not a URI. */
    static void set(ProblemDetail detail, String address) {
        try {
            detail.setInstance(new URI(address));
        } catch (URISyntaxException e) {
            // The problem is told without it.
        }
    }
}
