package io.durablestate.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;

/** The HTTP interface of one instance. Takes the address anew for each request, since a restart may change it. */
final class Api {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final Supplier<URI> baseUri;

    Api(Supplier<URI> baseUri) {
        this.baseUri = baseUri;
    }

    Answer put(String state, String json) {
        return send(
                "PUT", "/api/v1/states/" + state, BodyPublishers.ofString(json), "Content-Type", "application/json");
    }

    Answer put(String state, byte[] body, String... headers) {
        return send("PUT", "/api/v1/states/" + state, BodyPublishers.ofByteArray(body), headers);
    }

    Answer get(String state, String... headers) {
        return send("GET", "/api/v1/states/" + state, BodyPublishers.noBody(), headers);
    }

    Answer delete(String state, String... headers) {
        return send("DELETE", "/api/v1/states/" + state, BodyPublishers.noBody(), headers);
    }

    Answer call(String method, String path, String... headers) {
        return send(method, path, BodyPublishers.noBody(), headers);
    }

    Answer read(String path, String... headers) {
        return send("GET", path, BodyPublishers.noBody(), headers);
    }

    Answer send(String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUri.get() + path))
                .timeout(TIMEOUT)
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            var response = http.send(request.build(), BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** One segment of a path. */
    static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
