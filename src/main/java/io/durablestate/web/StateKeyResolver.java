package io.durablestate.web;

import io.durablestate.state.StateKey;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Hands the state or attempt that a request names to the controllers, read from the path as it was sent. */
@Component
final class StateKeyResolver implements HandlerMethodArgumentResolver, WebMvcConfigurer {

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(this);
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == StateKey.class || parameter.getParameterType() == AttemptPath.class;
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binderFactory) {
        HttpServletRequest servletRequest = Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class));
        String path = servletRequest.getRequestURI();
        return parameter.getParameterType() == StateKey.class ? StatePath.parse(path) : AttemptPath.parse(path);
    }
}
