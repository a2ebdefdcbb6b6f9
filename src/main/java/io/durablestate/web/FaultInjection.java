package io.durablestate.web;

import io.durablestate.fault.Fault;
import io.durablestate.fault.FaultKit;
import io.durablestate.state.NotServingException;
import io.durablestate.state.Operation;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Has writes meet the faults that are armed. There only when {@code durable-state.faults.enabled} is set. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("durable-state.faults.enabled")
class FaultInjection implements WebMvcConfigurer {

    private static final String RESPONSE = FaultInjection.class.getName() + ".response";
    private static final String LOST = FaultInjection.class.getName() + ".lost";

    private final FaultKit kit;

    FaultInjection(FaultKit kit) {
        this.kit = kit;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new Strike(kit)).addPathPatterns("/api/v1/**");
    }

    /** Lets a fault strike before a write is handled. */
    private record Strike(FaultKit kit) implements HandlerInterceptor {

        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
                throws InterruptedException {
            Operation operation = operationOf(request);
            if (operation == null) {
                return true;
            }
            Optional<Fault> struck = kit.begin(operation, keyOf(request, operation));
            if (struck.isPresent()) {
                strike(struck.get(), request);
            }
            return true;
        }

        private static void strike(Fault fault, HttpServletRequest request) throws InterruptedException {
            switch (fault.kind()) {
                case REJECT -> throw new NotServingException(fault.reason(), "A fault that was asked for");
                case DELAY -> Thread.sleep(fault.delay().toMillis());
                case LOSE_ANSWER -> LostAnswers.keepBack(request);
                case UNKNOWN_WRITTEN, UNKNOWN_NOT_WRITTEN -> {
                    // The state log sees to it.
                }
            }
        }

        @Override
        public void afterCompletion(
                HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
            kit.end();
        }

        /** What a request writes, null when it does not. */
        private static @Nullable Operation operationOf(HttpServletRequest request) {
            String path = request.getRequestURI();
            return switch (request.getMethod()) {
                case "PUT" -> path.contains(StatePath.STATES) ? Operation.PUT : null;
                case "DELETE" ->
                    path.endsWith(StatePath.STATES)
                            ? Operation.PRUNE
                            : path.contains(StatePath.STATES)
                                    ? Operation.DELETE
                                    : path.contains(AttemptPath.ATTEMPTS) ? Operation.CLAIM : null;
                case "POST" ->
                    path.endsWith("/batch")
                            ? Operation.BATCH
                            : path.contains(AttemptPath.ATTEMPTS) ? Operation.CLAIM : null;
                default -> null;
            };
        }

        private static @Nullable String keyOf(HttpServletRequest request, Operation operation) {
            return switch (operation) {
                case PUT, DELETE -> StatePath.parse(request.getRequestURI()).key();
                case CLAIM -> AttemptPath.parse(request.getRequestURI()).key();
                default -> null;
            };
        }
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> loseAnswers() {
        return factory -> factory.addEngineValves(new LostAnswers());
    }

    /** Keeps an answer back, and closes its connection instead. */
    private static final class LostAnswers extends ValveBase {

        private LostAnswers() {
            super(true);
        }

        /** From here on nothing of the answer is sent. */
        private static void keepBack(HttpServletRequest request) {
            if (request.getAttribute(RESPONSE) instanceof Response response) {
                response.setSuspended(true);
                request.setAttribute(LOST, true);
            }
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            request.setAttribute(RESPONSE, response);
            getNext().invoke(request, response);
            if (request.getAttribute(LOST) != null) {
                response.setSuspended(true); // the valves behind this one let the end of the answer through
                response.getCoyoteResponse().action(ActionCode.CLOSE_NOW, null);
            }
        }
    }
}
