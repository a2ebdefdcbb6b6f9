package io.durablestate.broker;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Holds when no setting names a Kafka cluster. Settings that look as if a cluster was meant, but do not name one for
 * all clients, are refused: quietly keeping one copy instead would be the worst answer.
 */
final class NoClusterNamed implements Condition {

    private static final String GENERAL = "spring.kafka.bootstrap-servers";

    private static final List<String> CLIENTS = List.of("", "producer.", "consumer.", "admin.", "streams.");

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Binder binder = Binder.get(context.getEnvironment());
        BindResult<List<String>> servers = binder.bind(GENERAL, Bindable.listOf(String.class));
        if (!servers.isBound()) {
            refuseHalfNamedCluster(binder);
            return true;
        }
        if (servers.get().stream().allMatch(String::isBlank)) {
            throw EmbeddedBrokerException.emptyBootstrapServers();
        }
        return false;
    }

    private static void refuseHalfNamedCluster(Binder binder) {
        CLIENTS.stream()
                .flatMap(client -> namesOfCluster(binder, "spring.kafka." + client))
                .findFirst()
                .ifPresent(setting -> {
                    throw EmbeddedBrokerException.clusterMeant(setting);
                });
    }

    /** Settings of one kind of client that make sense for a cluster only. */
    private static Stream<String> namesOfCluster(Binder binder, String prefix) {
        Map<String, String> properties = binder.bind(prefix + "properties", Bindable.mapOf(String.class, String.class))
                .orElseGet(Map::of);
        return Stream.concat(
                Stream.of("bootstrap-servers", "security.protocol", "ssl.bundle")
                        .map(name -> prefix + name)
                        .filter(name -> binder.bind(name, String.class).isBound()),
                Stream.of("bootstrap.servers", "security.protocol")
                        .filter(properties::containsKey)
                        .map(name -> prefix + "properties." + name));
    }
}
