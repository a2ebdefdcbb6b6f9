package io.durablestate.web;

import io.durablestate.failure.Problem;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the OpenAPI document says beside the controllers: the problems that each operation can meet. */
@Configuration(proxyBeanMethods = false)
class ApiDocumentation {

    private static final Set<Problem> ANY = EnumSet.of(Problem.INVALID_PARAMETER, Problem.INTERNAL);
    private static final Set<Problem> READ =
            EnumSet.of(Problem.RECOVERING, Problem.OVERLOADED, Problem.KAFKA_UNAVAILABLE, Problem.KAFKA_REFUSED);
    private static final Set<Problem> WRITE = EnumSet.of(
            Problem.NOT_ENOUGH_REPLICAS,
            Problem.ACK_TIMEOUT,
            Problem.INTERRUPTED,
            Problem.RECOVERING,
            Problem.OVERLOADED,
            Problem.KAFKA_UNAVAILABLE,
            Problem.KAFKA_REFUSED);

    private static final Map<String, Set<Problem>> PROBLEMS = Map.of(
            "putState",
                    with(
                            WRITE,
                            Problem.INVALID_KEY,
                            Problem.MALFORMED_JSON,
                            Problem.EMPTY_STATE,
                            Problem.STATE_TOO_LARGE,
                            Problem.UNSUPPORTED_ENCODING),
            "getState", with(READ, Problem.INVALID_KEY, Problem.STATE_NOT_FOUND),
            "headState", with(READ, Problem.INVALID_KEY, Problem.STATE_NOT_FOUND),
            "deleteState", with(WRITE, Problem.INVALID_KEY, Problem.STATE_NOT_FOUND),
            "listStates", READ,
            "pruneStates", WRITE,
            "getFailure", EnumSet.of(Problem.FAILURE_NOT_FOUND));

    private static Set<Problem> with(Set<Problem> base, Problem... more) {
        EnumSet<Problem> all = EnumSet.copyOf(base);
        all.addAll(List.of(more));
        return all;
    }

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(new Info()
                        .title("Durable State")
                        .version("1")
                        .description(
                                "Keeps the state of actions. A 2xx answer to a write means that this very record was "
                                        + "acknowledged by Apache Kafka; an error says what is known of it: `not-persisted`, "
                                        + "`unknown`, or `persisted`.")
                        .license(new License().name("Apache License 2.0").identifier("Apache-2.0")))
                .components(new Components().addSchemas("Problem", problemSchema()));
    }

    private static Schema<?> problemSchema() {
        Schema<String> outcome = new StringSchema();
        outcome.setEnum(List.of("not-persisted", "unknown", "persisted"));
        outcome.setDescription("On writes: what is known of the record");
        return new ObjectSchema()
                .description("RFC 9457 problem details")
                .addProperty("type", new StringSchema().description("Address of the page that explains it"))
                .addProperty("title", new StringSchema())
                .addProperty("status", new IntegerSchema())
                .addProperty("detail", new StringSchema().description("What happened here"))
                .addProperty("instance", new StringSchema())
                .addProperty("outcome", outcome);
    }

    @Bean
    OpenApiCustomizer listProblems() {
        return api -> api.getPaths().values().stream()
                .flatMap(path -> path.readOperations().stream())
                .forEach(ApiDocumentation::addProblems);
    }

    private static void addProblems(Operation operation) {
        EnumSet<Problem> problems = EnumSet.copyOf(ANY);
        problems.addAll(PROBLEMS.getOrDefault(operation.getOperationId(), Set.of()));
        Map<Integer, List<Problem>> byStatus = problems.stream()
                .collect(Collectors.groupingBy(Problem::status, LinkedHashMap::new, Collectors.toList()));
        byStatus.forEach(
                (status, those) -> operation.getResponses().addApiResponse(status.toString(), response(those)));
    }

    private static ApiResponse response(List<Problem> problems) {
        List<String> lines = new ArrayList<>();
        problems.forEach(problem -> lines.add("`%s`: %s".formatted(problem.slug(), problem.meaning())));
        Schema<?> schema = new Schema<>().$ref("#/components/schemas/Problem");
        return new ApiResponse()
                .description(String.join("\n\n", lines))
                .content(new Content().addMediaType("application/problem+json", new MediaType().schema(schema)));
    }
}
