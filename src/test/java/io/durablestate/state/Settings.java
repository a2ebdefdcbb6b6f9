package io.durablestate.state;

import io.durablestate.DurableStateProperties;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The settings of the service as a start would bind them. */
public final class Settings {

    private Settings() {}

    /** The defaults, but for what is given: names below {@code durable-state}, each followed by its value. */
    public static DurableStateProperties with(String... namesAndValues) {
        Map<String, String> given = new HashMap<>(Map.of("durable-state.instance-id", "test-1"));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            given.put("durable-state." + namesAndValues[i], namesAndValues[i + 1]);
        }
        return new Binder(new MapConfigurationPropertySource(given))
                .bindOrCreate("durable-state", DurableStateProperties.class);
    }
}
