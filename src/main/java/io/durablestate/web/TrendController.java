package io.durablestate.web;

import io.durablestate.trend.Sample;
import io.durablestate.trend.Trend;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What this instance has been doing. */
@RestController
@Tag(name = "Status")
class TrendController {

    private final Trend trend;

    TrendController(Trend trend) {
        this.trend = trend;
    }

    @Schema(name = "Trend", description = "A sample every five seconds, of the last fifteen minutes")
    record TrendView(@Schema(description = "Oldest first") List<Sample> samples) {}

    @GetMapping("/api/v1/trend")
    @Operation(operationId = "getTrend", summary = "Rates, times and lag of the last fifteen minutes")
    @Parameter(
            name = "since",
            in = ParameterIn.QUERY,
            description = "Only samples after this time",
            schema = @Schema(type = "string", format = "date-time"))
    ResponseEntity<TrendView> trend(HttpServletRequest request) {
        return JsonAnswers.ok(
                new TrendView(trend.samples(Query.of(request, "since").instant("since"))));
    }
}
