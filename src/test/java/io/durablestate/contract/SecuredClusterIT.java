package io.durablestate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.durablestate.testcluster.ClientSecurity;
import io.durablestate.testcluster.KafkaCluster;
import io.durablestate.testcluster.ServiceProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clusters that ask who is there: nothing but {@code spring.kafka} is set, and a missing right is named. */
class SecuredClusterIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "durable-state";
    private static final String USER = "service";

    @ParameterizedTest
    @EnumSource(
            value = ClientSecurity.class,
            names = {"SASL_SCRAM", "SSL"})
    void theUsualSettingsOfSpringAreEnough(ClientSecurity security) {
        try (KafkaCluster cluster =
                        KafkaCluster.builder().brokers(1).security(security).start();
                ServiceProcess service = ServiceProcess.start(cluster.springProperties())) {
            service.awaitReady(PATIENCE);
            Api api = new Api(service::baseUri);

            assertThat(api.put("order-1/1/a", "1").status()).isEqualTo(201);
            assertThat(api.get("order-1/1/a").text()).isEqualTo("1");
        }
    }

    @Test
    void aRightThatIsTakenAwayIsSaidSoAndTheNextPutAfterItIsBackWorksWithoutARestart() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.builder()
                .brokers(1)
                .security(ClientSecurity.SASL_PLAIN)
                .user(USER, "service-secret")
                .accessControl()
                .start()) {
            cluster.createTopic(TOPIC, 4, 1, Map.of("cleanup.policy", "compact"));
            allow(cluster, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS, AclOperation.READ, AclOperation.WRITE);
            Map<String, String> properties = new HashMap<>(cluster.springProperties(USER));
            properties.put("durable-state.failures.settle-after", "2s");
            try (ServiceProcess service = ServiceProcess.start(properties)) {
                service.awaitReady(PATIENCE);
                Api api = new Api(service::baseUri);
                assertThat(api.put("order-1/1/a", "1").status()).isEqualTo(201);

                deny(cluster, AclOperation.WRITE);
                await().atMost(PATIENCE).untilAsserted(() -> {
                    Answer refused = api.put("order-1/2/a", "2");
                    assertThat(refused.status()).isEqualTo(503);
                    assertThat(refused.problem()).isEqualTo("kafka-refused");
                    assertThat(refused.outcome()).isEqualTo("not-persisted");
                });
                assertThat(api.read("/api/v1/failures?cause=TopicAuthorizationException")
                                .json()
                                .path("items"))
                        .isNotEmpty();
                assertThat(api.get("order-1/1/a").text()).isEqualTo("1");
                assertThat(service.log()).doesNotContain("service-secret");

                allow(cluster, AclOperation.WRITE);
                await().atMost(PATIENCE)
                        .untilAsserted(() ->
                                assertThat(api.put("order-1/3/a", "3").status()).isEqualTo(201));
            }
        }
    }

    private static void allow(KafkaCluster cluster, AclOperation... operations) throws Exception {
        cluster.admin()
                .createAcls(Stream.of(operations).map(o -> rule(cluster, o)).toList())
                .all()
                .get();
    }

    private static void deny(KafkaCluster cluster, AclOperation operation) throws Exception {
        AclBindingFilter filter = rule(cluster, operation).toFilter();
        assertThat(cluster.admin().deleteAcls(List.of(filter)).all().get()).hasSize(1);
    }

    private static AclBinding rule(KafkaCluster cluster, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, TOPIC, PatternType.LITERAL),
                new AccessControlEntry(cluster.principal(USER), "*", operation, AclPermissionType.ALLOW));
    }
}
