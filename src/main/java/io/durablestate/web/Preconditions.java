package io.durablestate.web;

import io.durablestate.state.Revision;
import io.durablestate.state.StateRecord.Expectation;
import io.durablestate.state.Terms;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** The headers of a write that say what must hold, taken strictly. */
final class Preconditions {

    static final String ATTEMPT = "Attempt";
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private static final String REVISION_ALLOWED = "one revision in quotes, such as \"3-1042\"";
    private static final String NAME_ALLOWED = "1 to 128 visible ASCII characters";
    private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,128}");

    private Preconditions() {}

    /** What must hold for a state to be stored. */
    static Terms ofPut(HttpServletRequest request) {
        RequestHeaders.refuseConditionsOfWrites(request);
        Revision ifMatch = ifMatch(request);
        String ifNoneMatch = only(request, HttpHeaders.IF_NONE_MATCH);
        if (ifNoneMatch != null && !ifNoneMatch.equals("*")) {
            throw ProblemException.invalidParameter(
                    HttpHeaders.IF_NONE_MATCH, "is not * on a write", "*, which asks that there is no state");
        }
        return terms(ifMatch, ifNoneMatch != null, attempt(request), idempotencyKey(request));
    }

    /** What must hold for a state to be deleted. */
    static Terms ofDelete(HttpServletRequest request) {
        RequestHeaders.refuseConditionsOfWrites(request);
        if (request.getHeader(HttpHeaders.IF_NONE_MATCH) != null) {
            throw ProblemException.invalidParameter(
                    HttpHeaders.IF_NONE_MATCH, "is not known on a DELETE", "If-Match, Attempt");
        }
        return terms(ifMatch(request), false, attempt(request), idempotencyKey(request));
    }

    /** What is given, wherever it stands; a write cannot ask for a revision and for none. */
    static Terms terms(
            @Nullable Revision ifMatch, boolean ifNoneMatch, @Nullable Long attempt, @Nullable String idempotencyKey) {
        if (ifMatch != null && ifNoneMatch) {
            throw ProblemException.invalidParameter(
                    HttpHeaders.IF_NONE_MATCH, "contradicts If-Match", "one of the two");
        }
        Expectation expectation = ifMatch != null || ifNoneMatch ? new Expectation(ifMatch) : null;
        return new Terms(expectation, attempt, idempotencyKey);
    }

    private static @Nullable Revision ifMatch(HttpServletRequest request) {
        String tag = only(request, HttpHeaders.IF_MATCH);
        if (tag == null) {
            return null;
        }
        if (tag.length() < 2 || !tag.startsWith("\"") || !tag.endsWith("\"")) {
            throw ProblemException.invalidParameter(
                    HttpHeaders.IF_MATCH, "is not a revision in quotes", REVISION_ALLOWED);
        }
        return Revision.parse(tag.substring(1, tag.length() - 1))
                .orElseThrow(() ->
                        ProblemException.invalidParameter(HttpHeaders.IF_MATCH, "is not a revision", REVISION_ALLOWED));
    }

    private static @Nullable Long attempt(HttpServletRequest request) {
        String text = only(request, ATTEMPT);
        return text == null ? null : WholeNumber.require(ATTEMPT, text);
    }

    private static @Nullable String idempotencyKey(HttpServletRequest request) {
        String name = only(request, IDEMPOTENCY_KEY);
        return name == null ? null : requireName(IDEMPOTENCY_KEY, name);
    }

    /** A name that a caller gave to a write. */
    static String requireName(String parameter, String name) {
        if (!NAME.matcher(name).matches()) {
            throw ProblemException.invalidParameter(parameter, "is not allowed", NAME_ALLOWED);
        }
        return name;
    }

    /** The one value of a header, without the blanks around it; null when it is not given. */
    private static @Nullable String only(HttpServletRequest request, String name) {
        List<String> values = Collections.list(request.getHeaders(name));
        if (values.size() > 1) {
            throw ProblemException.invalidParameter(name, "is given twice", "once");
        }
        return values.isEmpty() ? null : values.get(0).strip();
    }
}
