package io.durablestate.testcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KafkaClusterIT {

    @Test
    void goesOnWithoutAKilledAndWithoutAFrozenLeader() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.builder()
                        .brokers(3)
                        .setting("broker.session.timeout.ms", "4000")
                        .setting("broker.heartbeat.interval.ms", "500")
                        .start();
                Producer<byte[], byte[]> producer = producerOf(cluster)) {
            cluster.createTopic("numbers", 1, 3, Map.of("min.insync.replicas", "2"));
            assertThat(send(producer, "one")).isZero();

            Broker killed = cluster.broker(cluster.leaderOf("numbers", 0));
            killed.kill();
            assertThat(send(producer, "two")).isEqualTo(1);
            assertThat(cluster.awaitLeaderOtherThan(killed.id(), "numbers", 0)).isBetween(1, 3);

            killed.restart();
            cluster.awaitReady();
            cluster.awaitPartitions("numbers", partition -> partition.isr().size() == 3);

            Broker frozen = cluster.broker(cluster.leaderOf("numbers", 0));
            frozen.freeze();
            cluster.awaitReady();
            assertThat(cluster.inSyncReplicasOf("numbers", 0)).hasSize(2).doesNotContain(frozen.id());
            assertThat(send(producer, "three")).isEqualTo(2);

            frozen.thaw();
            cluster.awaitReady();
            assertThat(send(producer, "four")).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PLAINTEXT")
    void letsUsersDoOnlyWhatTheyMay(ClientSecurity security) throws Exception {
        try (KafkaCluster cluster = KafkaCluster.builder()
                        .security(security)
                        .user("writer", "writer-secret")
                        .accessControl()
                        .start();
                Producer<byte[], byte[]> producer = producerOf(cluster, "writer")) {
            cluster.createTopic("numbers", 1, 1, Map.of());
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> send(producer, "one"))
                    .withCauseInstanceOf(TopicAuthorizationException.class);

            cluster.admin()
                    .createAcls(List.of(mayWrite(cluster.principal("writer"))))
                    .all()
                    .get();
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(send(producer, "two")).isZero());
        }
    }

    @Test
    void showsTheLogOfABrokerThatDoesNotStart() {
        KafkaCluster.Builder broken = KafkaCluster.builder().setting("log.segment.bytes", "-1");
        assertThatThrownBy(broken::start).hasMessageContainingAll("broker 1", "log.segment.bytes");
    }

    private static AclBinding mayWrite(String principal) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, "numbers", PatternType.LITERAL),
                new AccessControlEntry(principal, "*", AclOperation.WRITE, AclPermissionType.ALLOW));
    }

    private static long send(Producer<byte[], byte[]> producer, String text) throws Exception {
        ProducerRecord<byte[], byte[]> rec = new ProducerRecord<>("numbers", text.getBytes(StandardCharsets.UTF_8));
        return producer.send(rec).get(60, TimeUnit.SECONDS).offset();
    }

    private static Producer<byte[], byte[]> producerOf(KafkaCluster cluster) {
        return producerOf(cluster, KafkaCluster.SUPER_USER);
    }

    private static Producer<byte[], byte[]> producerOf(KafkaCluster cluster, String user) {
        Map<String, Object> settings = new HashMap<>(cluster.clientSettings(user));
        settings.put("acks", "all");
        settings.put("request.timeout.ms", 2_000);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
