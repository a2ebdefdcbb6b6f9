package io.durablestate;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says which setting of the service is wrong, and why, in a sentence. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SettingsFailureAnalyzer extends AbstractFailureAnalyzer<ConfigurationPropertiesBindException> {

    private static final String SETTINGS = "docs/operations.md lists the settings.";

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, ConfigurationPropertiesBindException cause) {
        if (!cause.getBeanType().equals(DurableStateProperties.class)) {
            return null;
        }
        UnboundConfigurationPropertiesException unknown =
                findCause(cause, UnboundConfigurationPropertiesException.class);
        if (unknown != null) {
            return new FailureAnalysis(unknown(unknown), "Correct the name, or remove it; " + SETTINGS, rootFailure);
        }
        return new FailureAnalysis(wrong(cause), "Correct the value; " + SETTINGS, rootFailure);
    }

    private static String unknown(UnboundConfigurationPropertiesException unknown) {
        return unknown.getUnboundProperties().stream()
                .map(property -> property.getName() + " is not a setting of the service" + origin(property) + ".")
                .collect(Collectors.joining("\n"));
    }

    private String wrong(ConfigurationPropertiesBindException failure) {
        BindException bind = findCause(failure, BindException.class);
        ConfigurationProperty property = bind == null ? null : bind.getProperty();
        String reason = deepestMessage(failure);
        return property == null
                ? reason + "."
                : "%s is %s%s: %s.".formatted(property.getName(), property.getValue(), origin(property), reason);
    }

    private static String origin(ConfigurationProperty property) {
        return property.getOrigin() == null ? "" : " (" + property.getOrigin() + ")";
    }

    private static String deepestMessage(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage());
    }
}
