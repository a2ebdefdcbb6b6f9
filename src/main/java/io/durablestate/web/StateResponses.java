package io.durablestate.web;

import io.durablestate.state.StateReceipt;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** Writes states into responses, byte for byte, and in such a way that no browser runs them. */
final class StateResponses {

    private StateResponses() {}

    static String etag(StateReceipt receipt) {
        return '"' + receipt.revision().toString() + '"';
    }

    /**
     * Answers a read.
     *
     * @param body the bytes, or null when only the headers are wanted
     */
    static void write(
            HttpServletRequest request, HttpServletResponse response, StateReceipt receipt, byte @Nullable [] body)
            throws IOException {
        String etag = etag(receipt);
        response.setHeader(HttpHeaders.ETAG, etag);
        response.setDateHeader(HttpHeaders.LAST_MODIFIED, receipt.timestamp().toEpochMilli());
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        response.setHeader("State-Completed", Boolean.toString(receipt.completed()));
        if (receipt.attempt() != null) {
            response.setHeader("State-Attempt", receipt.attempt().toString());
        }
        response.setHeader("State-Write-Id", printable(receipt.writeId(), ""));
        if (RequestHeaders.hasRevision(request, etag, receipt.timestamp())) {
            response.setStatus(HttpStatus.NOT_MODIFIED.value());
            return;
        }
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Content-Security-Policy", "sandbox");
        response.setContentType(printable(receipt.contentType(), MediaType.APPLICATION_OCTET_STREAM_VALUE));
        response.setContentLength(receipt.size());
        if (body != null) {
            response.getOutputStream().write(body);
        }
    }

    /** A record that somebody else wrote can carry anything; a header cannot. */
    private static String printable(String text, String otherwise) {
        boolean printable = !text.isEmpty() && text.chars().allMatch(c -> c >= 0x20 && c < 0x7F);
        return printable ? text : otherwise;
    }
}
