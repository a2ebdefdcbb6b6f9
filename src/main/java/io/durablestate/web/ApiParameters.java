package io.durablestate.web;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the OpenAPI document says of parameters that several operations have. */
final class ApiParameters {

    private ApiParameters() {}

    /** Of a list that comes page by page. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Parameter(
            name = "limit",
            in = ParameterIn.QUERY,
            schema = @Schema(type = "integer", minimum = "1", maximum = "1000", defaultValue = "50"))
    @Parameter(
            name = "cursor",
            in = ParameterIn.QUERY,
            description = "From the page before",
            schema = @Schema(type = "string"))
    @interface Paged {}

    /** Of what can be asked for some keys only. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Parameter(
            name = "key",
            in = ParameterIn.QUERY,
            description = "Exactly this key",
            schema = @Schema(type = "string"))
    @Parameter(
            name = "prefix",
            in = ParameterIn.QUERY,
            description = "Keys that start so",
            schema = @Schema(type = "string"))
    @interface OfKeys {}

    /** Of a read that can ask for what is new. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Parameter(
            name = "consistency",
            in = ParameterIn.QUERY,
            description = "strong: sees every write that any instance had acknowledged before",
            schema = @Schema(type = "string", allowableValues = "strong"))
    @Parameter(
            name = "atLeast",
            in = ParameterIn.QUERY,
            description = "Waits until this instance has come to this revision of the key's partition",
            schema = @Schema(type = "string"))
    @interface NewEnough {}

    /** Of a write that can have terms. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Parameter(
            name = "If-Match",
            in = ParameterIn.HEADER,
            description = "Only if this revision, in quotes, is the current one: else 412",
            schema = @Schema(type = "string"))
    @Parameter(
            name = "Attempt",
            in = ParameterIn.HEADER,
            description = "The writer's attempt; a newer claim on the key makes it 409",
            schema = @Schema(type = "integer", format = "int64"))
    @Parameter(
            name = "Idempotency-Key",
            in = ParameterIn.HEADER,
            description =
                    "The caller's name of the write, 1 to 128 visible ASCII characters. A conditional PUT that has stored the "
                            + "current state already is answered 200 with Already-Applied: true",
            schema = @Schema(type = "string", maxLength = 128))
    @interface Conditional {}

    /** Of a write after which another one can be expected. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Parameter(
            name = "expectWithin",
            in = ParameterIn.QUERY,
            description =
                    "How long the next write of the key may take, ISO 8601. The key is overdue when it takes longer, and "
                            + "until somebody writes",
            schema = @Schema(type = "string", format = "duration"),
            example = "PT90S")
    @interface Expecting {}
}
