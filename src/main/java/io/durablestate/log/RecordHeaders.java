package io.durablestate.log;

/** Names of the record headers, version 1 of the log format. */
final class RecordHeaders {

    static final String VERSION = "ds.v";
    static final String WRITE_ID = "ds.write-id";
    static final String CONTENT_TYPE = "ds.content-type";
    static final String COMPLETED = "ds.completed";
    static final String ATTEMPT = "ds.attempt";
    static final String IF_REVISION = "ds.if-revision";
    static final String RESTORES = "ds.restores";
    static final String AS_OF = "ds.as-of";
    static final String EXPECT_WITHIN = "ds.expect-within";
    static final String WRITTEN_AT = "ds.written-at";
    static final String INSTANCE = "ds.instance";

    /** The version of the log format that is written, and the only one that is understood. */
    static final String CURRENT_VERSION = "1";

    /** Stands for a state that is not there, in {@link #IF_REVISION} and {@link #RESTORES}. */
    static final String NONE = "none";

    private RecordHeaders() {}
}
