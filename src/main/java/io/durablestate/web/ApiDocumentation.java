package io.durablestate.web;

import static java.util.Map.entry;

import io.durablestate.failure.Problem;
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
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.PathParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourcePatternResolver;
import tools.jackson.databind.json.JsonMapper;

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

    private static final Set<Problem> CONDITIONAL =
            with(WRITE, Problem.ATTEMPT_FENCED, Problem.ATTEMPT_CLOSED, Problem.PRECONDITION_FAILED);

    private static final Map<String, Set<Problem>> PROBLEMS = Map.ofEntries(
            entry(
                    "putState",
                    with(
                            CONDITIONAL,
                            Problem.INVALID_KEY,
                            Problem.MALFORMED_JSON,
                            Problem.EMPTY_STATE,
                            Problem.STATE_TOO_LARGE,
                            Problem.UNSUPPORTED_ENCODING)),
            entry("getState", with(READ, Problem.INVALID_KEY, Problem.STATE_NOT_FOUND)),
            entry("headState", with(READ, Problem.INVALID_KEY, Problem.STATE_NOT_FOUND)),
            entry("deleteState", with(CONDITIONAL, Problem.INVALID_KEY, Problem.STATE_NOT_FOUND)),
            entry("listStates", READ),
            entry(
                    "streamEvents",
                    EnumSet.of(Problem.RECOVERING, Problem.OVERLOADED, Problem.KAFKA_REFUSED, Problem.POSITION_GONE)),
            entry("pruneStates", WRITE),
            entry(
                    "writeBatch",
                    with(
                            EnumSet.of(Problem.RECOVERING, Problem.OVERLOADED, Problem.KAFKA_REFUSED),
                            Problem.MALFORMED_JSON,
                            Problem.STATE_TOO_LARGE,
                            Problem.UNSUPPORTED_ENCODING)),
            entry("claimKey", with(WRITE, Problem.INVALID_KEY, Problem.MALFORMED_JSON, Problem.UNSUPPORTED_ENCODING)),
            entry("getAttempt", with(READ, Problem.INVALID_KEY, Problem.ATTEMPT_NOT_FOUND)),
            entry("listAttempts", EnumSet.of(Problem.RECOVERING, Problem.KAFKA_REFUSED, Problem.KAFKA_UNAVAILABLE)),
            entry(
                    "closeAttempt",
                    with(
                            WRITE,
                            Problem.INVALID_KEY,
                            Problem.ATTEMPT_NOT_FOUND,
                            Problem.ATTEMPT_FENCED,
                            Problem.ATTEMPT_CLOSED)),
            entry("getFailure", EnumSet.of(Problem.FAILURE_NOT_FOUND)));

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
                        .license(new License().name("Apache License 2.0").identifier("Apache-2.0")));
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

    /** Problems are referred to only from here on, so their schema is added last: before, it would be dropped as unused. */
    @Bean
    @Order(2)
    OpenApiCustomizer listProblems() {
        return api -> {
            operations(api).forEach(ApiDocumentation::addProblems);
            api.getComponents().addSchemas("Problem", problemSchema());
        };
    }

    private static Stream<Operation> operations(OpenAPI api) {
        return api.getPaths().values().stream().flatMap(path -> path.readOperations().stream());
    }

    /** The parts of a name are read from the path as it was sent, so no argument of a controller tells of them. */
    @Bean
    @Order(1)
    OpenApiCustomizer describeNames() {
        return api -> api.getPaths().forEach((path, item) -> {
            if (path.startsWith(StatePath.STATES + "/")) {
                boolean ofEvent = path.endsWith("{event}");
                item.readOperations().forEach(operation -> describeName(operation, ofEvent));
            } else if (path.startsWith(AttemptPath.ATTEMPTS + "/")) {
                boolean ofOne = path.endsWith("{attempt}");
                item.readOperations().forEach(operation -> describeAttempt(operation, ofOne));
            }
        });
    }

    private static void describeName(Operation operation, boolean ofEvent) {
        String id = operation.getOperationId().replaceFirst("_\\d+$", "");
        operation.setOperationId(ofEvent ? id + "OfEvent" : id);
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(segment("key", "What the work is about", "order-42"));
        parameters.add(new PathParameter()
                .name("sequence")
                .description("Which step of it, from 0 on")
                .schema(new IntegerSchema().format("int64").minimum(BigDecimal.ZERO))
                .example(7));
        parameters.add(segment("action", "What the step does", "charge-card"));
        if (ofEvent) {
            parameters.add(segment("event", "Which of several events of the action", "attempt-1"));
        }
        if (operation.getParameters() != null) {
            parameters.addAll(operation.getParameters());
        }
        operation.setParameters(parameters);
    }

    private static void describeAttempt(Operation operation, boolean ofOne) {
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(segment("key", "What the work is about", "order-42"));
        if (ofOne) {
            parameters.add(new PathParameter()
                    .name("attempt")
                    .description("The number that the claim was answered with")
                    .schema(new IntegerSchema().format("int64").minimum(BigDecimal.ZERO))
                    .example(18_234));
        }
        if (operation.getParameters() != null) {
            parameters.addAll(operation.getParameters());
        }
        operation.setParameters(parameters);
    }

    private static Parameter segment(String name, String description, String example) {
        return new PathParameter()
                .name(name)
                .description(description + "; 1 to 255 bytes of UTF-8, percent-encoded")
                .schema(new StringSchema().minLength(1).maxLength(255))
                .example(example);
    }

    /** Answers as they look, each kept in a file named after its operation. */
    @Bean
    @Order(2)
    OpenApiCustomizer showExamples(ResourcePatternResolver resources) throws IOException {
        Map<String, Object> examples = new LinkedHashMap<>();
        for (Resource file : resources.getResources("classpath:openapi/examples/*.json")) {
            String name = Objects.requireNonNull(file.getFilename());
            try (InputStream in = file.getInputStream()) {
                examples.put(
                        name.substring(0, name.indexOf('.')),
                        JsonMapper.shared().readValue(in, Object.class));
            }
        }
        return api -> operations(api).forEach(operation -> {
            Object example = examples.get(operation.getOperationId().replaceFirst("OfEvent$", ""));
            if (example != null) {
                showExample(operation, example);
            }
        });
    }

    private static void showExample(Operation operation, Object example) {
        operation.getResponses().forEach((status, response) -> {
            if (status.startsWith("2") && response.getContent() != null) {
                response.getContent().values().forEach(body -> body.setExample(example));
            }
        });
    }

    private static void addProblems(Operation operation) {
        EnumSet<Problem> problems = EnumSet.copyOf(ANY);
        String id = operation.getOperationId().replaceFirst("OfEvent$", "");
        problems.addAll(PROBLEMS.getOrDefault(id, Set.of()));
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
