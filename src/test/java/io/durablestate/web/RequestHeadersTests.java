package io.durablestate.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.durablestate.failure.Problem;
import java.time.Instant;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class RequestHeadersTests {

    private static final Instant STORED = Instant.parse("2026-02-01T09:30:00.123Z");

    private static MockHttpServletRequest request(String... namesAndValues) {
        MockHttpServletRequest request = new MockHttpServletRequest("PUT", "/api/v1/states/order-42/7/charge-card");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            request.addHeader(namesAndValues[i], namesAndValues[i + 1]);
        }
        return request;
    }

    private static MockHttpServletRequest ofType(String contentType) {
        // Not as a header of the mock, which would normalise it.
        return new MockHttpServletRequest("PUT", "/") {
            @Override
            public Enumeration<String> getHeaders(String name) {
                return Collections.enumeration(List.of(contentType));
            }
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json; charset=utf-8",
                "application/json;charset=\"utf-8\"",
                "Application/JSON",
                "Text/Plain ;Charset=UTF-8",
                "text/plain",
                "application/octet-stream",
                "application/vnd.acme.order+json;v=2",
                "image/svg+xml"
            })
    void keepTheContentTypeAsItWasSent(String type) {
        assertThat(RequestHeaders.contentType(ofType(type))).isEqualTo(type);
    }

    @Test
    void takeJsonWhenNoContentTypeWasSent() {
        assertThat(RequestHeaders.contentType(request())).isEqualTo("application/json");
        assertThat(RequestHeaders.contentType(ofType(""))).isEqualTo("application/json");
        assertThat(RequestHeaders.contentType(ofType("  "))).isEqualTo("application/json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "application/", "/json", "*/*", "text/*", "text/plain\u00e9", "a b/c"})
    void refuseWhatIsNoMediaType(String type) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> RequestHeaders.contentType(ofType(type)))
                .withMessageContaining("Content-Type")
                .satisfies(e -> assertThat(e.problem()).isEqualTo(Problem.INVALID_PARAMETER));
    }

    @Test
    void takeContentTypesOf255CharactersAndNoMore() {
        String longest = "text/plain;p=" + "a".repeat(242);
        assertThat(RequestHeaders.contentType(ofType(longest))).hasSize(255);
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> RequestHeaders.contentType(ofType(longest + "a")))
                .withMessageContaining("255");
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, true",
        "application/json; charset=utf-8, true",
        "APPLICATION/JSON, true",
        "application/problem+json, true",
        "application/vnd.acme+JSON;v=2, true",
        "text/plain, false",
        "application/jsonp, false",
        "application/json-seq, false",
        "application/octet-stream, false",
        "nonsense, false",
        "'', false"
    })
    void knowJson(String type, boolean json) {
        assertThat(RequestHeaders.isJson(type)).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "deflate", "gzip, identity", "GZIP"})
    void refuseEncodedBodies(String encoding) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> RequestHeaders.refuseContentEncoding(request("Content-Encoding", encoding)))
                .satisfies(e -> assertThat(e.problem()).isEqualTo(Problem.UNSUPPORTED_ENCODING));
    }

    @Test
    void takeBodiesThatAreNotEncoded() {
        assertThatNoException().isThrownBy(() -> {
            RequestHeaders.refuseContentEncoding(request());
            RequestHeaders.refuseContentEncoding(request("Content-Encoding", "identity"));
            RequestHeaders.refuseContentEncoding(request("Content-Encoding", ""));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json;charset=utf-16", "application/vnd.acme+json; charset=ISO-8859-1"})
    void refuseJsonInAnotherCharset(String type) {
        assertThatThrownBy(() -> RequestHeaders.contentType(ofType(type))).hasMessageContaining("charset");
    }

    @Test
    void refuseTwoContentTypes() {
        MockHttpServletRequest request = new MockHttpServletRequest("PUT", "/") {
            @Override
            public Enumeration<String> getHeaders(String name) {
                return Collections.enumeration(List.of("text/plain", "application/json"));
            }
        };
        assertThatThrownBy(() -> RequestHeaders.contentType(request)).hasMessageContaining("is given twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"If-Unmodified-Since", "Content-Range"})
    void refuseConditionsOfWritesThatAreNotKnown(String name) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> RequestHeaders.refuseConditionsOfWrites(request(name, "1")))
                .withMessageStartingWith(name + " ");
    }

    @Test
    void takeIfNoneMatchOnReadsOnly() {
        assertThatNoException()
                .isThrownBy(() -> RequestHeaders.refuseConditionsOfReads(request("If-None-Match", "\"3-1042\"")));
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> RequestHeaders.refuseConditionsOfReads(request("If-Match", "\"3-1042\"")));
        assertThatNoException().isThrownBy(() -> RequestHeaders.refuseConditionsOfWrites(request("Accept", "*/*")));
    }

    @Test
    void knowWhoWantsNoBodyInTheAnswer() {
        assertThat(RequestHeaders.prefersMinimal(request())).isFalse();
        assertThat(RequestHeaders.prefersMinimal(request("Prefer", "return=minimal")))
                .isTrue();
        assertThat(RequestHeaders.prefersMinimal(request("Prefer", "wait=10, Return=Minimal")))
                .isTrue();
        assertThat(RequestHeaders.prefersMinimal(request("Prefer", "wait=10", "Prefer", "return=minimal")))
                .isTrue();
        assertThat(RequestHeaders.prefersMinimal(request("Prefer", "return=minimal; foo=\"bar\"")))
                .isTrue();
        assertThat(RequestHeaders.prefersMinimal(request("Prefer", "return = \"minimal\"")))
                .isTrue();
        assertThat(RequestHeaders.prefersMinimal(request("Prefer", "return=representation")))
                .isFalse();
        assertThat(RequestHeaders.prefersMinimal(request("Prefer", "return=minimalist")))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"3-1042\" | true",
                "W/\"3-1042\" | true",
                "* | true",
                "\"1-1\", \"3-1042\" | true",
                "\"1-1\",W/\"3-1042\" | true",
                "\"3-1043\" | false",
                "3-1042 | false",
                "\"3-104\" | false",
                "'' | false"
            })
    void knowWhoHasTheRevisionAlready(String ifNoneMatch, boolean has) {
        MockHttpServletRequest request =
                request("If-None-Match", ifNoneMatch, "If-Modified-Since", "Sun, 01 Feb 2026 09:30:00 GMT");
        assertThat(RequestHeaders.hasRevision(request, "\"3-1042\"", STORED)).isEqualTo(has);
        assertThat(RequestHeaders.hasRevision(request(), "\"3-1042\"", STORED)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sun, 01 Feb 2026 09:30:00 GMT | true",
                "Sun, 01 Feb 2026 09:30:01 GMT | true",
                "Sun, 01 Feb 2026 09:29:59 GMT | false",
            })
    void knowWhoHasReadTheStateSinceItWasStored(String ifModifiedSince, boolean has) {
        assertThat(RequestHeaders.hasRevision(request("If-Modified-Since", ifModifiedSince), "\"3-1042\"", STORED))
                .isEqualTo(has);
    }

    @Test
    void everyContentEncodingIsLookedAt() {
        MockHttpServletRequest request = new MockHttpServletRequest("PUT", "/");
        request.addHeader("Content-Encoding", "identity");
        request.addHeader("Content-Encoding", "gzip");
        assertThatThrownBy(() -> RequestHeaders.refuseContentEncoding(request)).isInstanceOf(ProblemException.class);
    }
}
