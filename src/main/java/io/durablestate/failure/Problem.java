package io.durablestate.failure;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Every way in which a request can fail: its status, what it means, and what to do. The one table of them; the pages under
 * {@code /problems} and the answers are made from it.
 */
public enum Problem {
    INVALID_KEY(
            400,
            "The name of the state is not allowed",
            "A part of the path is not a legal key, sequence, action or event.",
            "Send what the detail says is allowed; percent-encode every byte that is not a letter or digit."),
    MALFORMED_JSON(
            400,
            "The body is not JSON",
            "The content type says JSON, or is missing, and the body is not one JSON value in UTF-8, at most 1,000 deep.",
            "Mend the body at the line and column named, or send it under another content type."),
    EMPTY_STATE(400, "The body is empty", "A state has at least one byte.", "Send a body, or DELETE the state."),
    INVALID_PARAMETER(
            400,
            "A parameter or header is not allowed",
            "A query parameter or header has a value that is not allowed, is not known here, or is given twice.",
            "Send what the detail says is allowed."),
    UNAUTHORIZED(
            401,
            "Who are you?",
            "The request carries no credentials, or none that are valid.",
            "Send valid credentials."),
    FORBIDDEN(403, "Not allowed", "The credentials do not allow this.", "Ask an operator for a role that does."),
    STATE_NOT_FOUND(
            404,
            "There is no such state",
            "No state is stored under this name: it was never put, or was deleted.",
            "Start the action from its beginning, or check the name."),
    ATTEMPT_NOT_FOUND(404, "There is no such attempt", "Nobody has claimed this key.", "Claim it, or check the key."),
    FAILURE_NOT_FOUND(
            404,
            "There is no such failure",
            "The failure is not in the list of this instance: the list is bounded, and lives as long as the process.",
            "Look at the newest failures."),
    ATTEMPT_FENCED(
            409,
            "A newer attempt owns the key",
            "Another worker claimed the key after this attempt.",
            "Stop working on the key; do not retry."),
    ATTEMPT_CLOSED(
            409,
            "The attempt is closed",
            "The attempt was closed, so it cannot write any more.",
            "Stop working on the key; claim it anew if there is work left."),
    POSITION_GONE(
            410,
            "The events after this position are not kept any more",
            "An event stream cannot go on from Last-Event-ID without a gap: too much has happened since, or the log is another one.",
            "Subscribe without Last-Event-ID, then read the states anew."),
    PRECONDITION_FAILED(
            412,
            "The state is not as expected",
            "The state has another revision than If-Match or If-None-Match asks for.",
            "Read the state, decide again, and send its revision."),
    STATE_TOO_LARGE(
            413,
            "The state is too large",
            "The body is larger than durable-state.max-state-size, or than what the topic or the broker accepts.",
            "Store less, or store it elsewhere and a reference to it here."),
    UNSUPPORTED_ENCODING(
            415,
            "Content-Encoding is not supported",
            "Bodies are stored byte for byte, so they are not decoded.",
            "Send the body without Content-Encoding, or with a content type of its own."),
    RECOVERING(
            503,
            "The log is being replayed",
            "The service has not read the whole log yet, so it could answer with something old. Nothing was written.",
            "Try again after a second."),
    OVERLOADED(
            503,
            "Too much is under way",
            "As many requests are under way as the limits allow, or the producer's buffer is full. Nothing was written.",
            "Try again after a second, with fewer at a time."),
    KAFKA_UNAVAILABLE(
            503,
            "Kafka does not answer",
            "Kafka, or the leader of the key's partition, could not be reached within max.block.ms. Nothing was written.",
            "Try again after some seconds."),
    KAFKA_REFUSED(
            503,
            "The state log cannot be used",
            "Kafka does not let the service work: authentication, authorisation, a topic that is gone or not fit.",
            "Have an operator mend what the detail names, then try again."),
    NOT_ENOUGH_REPLICAS(
            503,
            "Too few replicas are in sync",
            "Fewer copies are in sync than min.insync.replicas asks for, so Kafka does not acknowledge.",
            "Try the same request again; it is safe."),
    ACK_TIMEOUT(
            504,
            "No acknowledgement in time",
            "Kafka did not acknowledge the record within delivery.timeout.ms. It may be in the log or not; the log will tell.",
            "Send the same request again; it is safe."),
    INTERRUPTED(
            503,
            "Interrupted",
            "The service was stopped while it waited for Kafka. The record may be in the log or not.",
            "Send the same request again, here or to another instance; it is safe."),
    INTERNAL(
            500,
            "An error of the service",
            "Something happened that the service does not know. On a write, the record may be in the log or not.",
            "Read the state to see what is stored, and report the error with its time.");

    /** Path below which every problem has a page. */
    public static final String PAGES = "/problems/";

    private final int status;
    private final String title;
    private final String meaning;
    private final String advice;

    Problem(int status, String title, String meaning, String advice) {
        this.status = status;
        this.title = title;
        this.meaning = meaning;
        this.advice = advice;
    }

    /** The problem with a given slug, such as {@code ack-timeout}. */
    public static Optional<Problem> ofSlug(String slug) {
        return Arrays.stream(values())
                .filter(problem -> problem.slug().equals(slug))
                .findFirst();
    }

    /** Its name in addresses and tags: lower case, with hyphens. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Path of the page that explains it. */
    public String page() {
        return PAGES + slug();
    }

    /** HTTP status. */
    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** What it means, in a sentence or two. */
    public String meaning() {
        return meaning;
    }

    /** What the caller should do. */
    public String advice() {
        return advice;
    }

    /** Whether it passes by itself, so that an answer says when to try again. */
    public boolean isPassing() {
        return this == RECOVERING || this == OVERLOADED || this == KAFKA_UNAVAILABLE || this == NOT_ENOUGH_REPLICAS;
    }
}
