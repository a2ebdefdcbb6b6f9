package io.durablestate.log;

import io.durablestate.DurableStateProperties;
import io.durablestate.StartRefusedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.stereotype.Component;
import org.springframework.util.StringUtils;

/** Makes Kafka clients from {@code spring.kafka}, with what the promise needs and nothing that would break it. */
@Component
final class KafkaClients {

    /** What a record takes beside its body: key, headers, batch. */
    static final int RECORD_OVERHEAD_BYTES = 64 * 1024;

    private static final int DEFAULT_MAX_BLOCK_MS = 10_000;
    private static final int DEFAULT_DELIVERY_TIMEOUT_MS = 30_000;
    private static final int DEFAULT_LINGER_MS = 5;
    private static final int DEFAULT_BATCH_BYTES = 16 * 1024;
    private static final long DEFAULT_BUFFER_BYTES = 32 * 1024 * 1024;
    private static final int MAX_REQUEST_TIMEOUT_MS = 10_000;

    private final DurableStateProperties properties;
    private final KafkaProperties kafkaProperties;
    private final KafkaConnectionDetails connection;
    private final Map<String, Object> producerConfig;

    KafkaClients(
            DurableStateProperties properties, KafkaProperties kafkaProperties, KafkaConnectionDetails connection) {
        this.properties = properties;
        this.kafkaProperties = kafkaProperties;
        this.connection = connection;
        this.producerConfig = producerConfig();
        requireUsable(producerConfig);
    }

    private Map<String, Object> producerConfig() {
        Map<String, Object> config = kafkaProperties.buildProducerProperties();
        connect(config, connection.getProducer());
        refuse(config, ProducerConfig.ACKS_CONFIG, "all", "-1");
        refuse(config, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        refuse(config, ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        config.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, DEFAULT_MAX_BLOCK_MS);
        config.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DEFAULT_DELIVERY_TIMEOUT_MS);
        config.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, DEFAULT_LINGER_MS);
        config.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, DEFAULT_BATCH_BYTES);
        config.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, requestTimeout(config));
        config.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRecordBytes());
        config.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(DEFAULT_BUFFER_BYTES, 2L * maxRecordBytes()));
        return config;
    }

    private void requireUsable(Map<String, Object> config) {
        if (longNumber(config, ProducerConfig.BUFFER_MEMORY_CONFIG) < maxRecordBytes()) {
            throw new StartRefusedException(
                    "The producer setting buffer.memory under spring.kafka has no room for a state of durable-state.max-state-size=%s."
                            .formatted(properties.maxStateSize()),
                    "Set it to %d or more, or lower durable-state.max-state-size.".formatted(maxRecordBytes()),
                    null);
        }
        int needed = number(config, ProducerConfig.LINGER_MS_CONFIG)
                + number(config, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
        if (number(config, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG) < needed) {
            throw new StartRefusedException(
                    "The producer setting delivery.timeout.ms under spring.kafka is less than linger.ms and request.timeout.ms together.",
                    "Set it to %d or more, or lower the others.".formatted(needed),
                    null);
        }
        try {
            new ProducerConfig(config);
        } catch (ConfigException e) {
            throw new StartRefusedException(
                    "Kafka refuses the producer settings under spring.kafka: " + e.getMessage() + ".",
                    "Change or remove the setting.",
                    e);
        }
    }

    private static void refuse(Map<String, Object> config, String name, String... allowed) {
        Object value = config.get(name);
        if (value != null && !List.of(allowed).contains(value.toString().toLowerCase(Locale.ROOT))) {
            throw new StartRefusedException(
                    "The producer setting %s=%s under spring.kafka would break the promise that an acknowledged state is never lost."
                            .formatted(name, value),
                    allowed.length == 0 ? "Remove it." : "Remove it, or set it to %s.".formatted(allowed[0]),
                    null);
        }
    }

    /** Short enough that a leader that fell silent is asked again, elsewhere, before the delivery times out. */
    private static int requestTimeout(Map<String, Object> config) {
        int delivery = number(config, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
        int linger = number(config, ProducerConfig.LINGER_MS_CONFIG);
        return Math.max(1, Math.min(MAX_REQUEST_TIMEOUT_MS, delivery - linger));
    }

    /** Longest wait for metadata or buffer space, as producers are set. */
    Duration maxBlock() {
        return Duration.ofMillis(number(producerConfig, ProducerConfig.MAX_BLOCK_MS_CONFIG));
    }

    private static long longNumber(Map<String, Object> config, String name) {
        return (Long) Objects.requireNonNull(ConfigDef.parseType(name, config.get(name) + "", ConfigDef.Type.LONG));
    }

    private static int number(Map<String, Object> config, String name) {
        return (int) Math.min(Integer.MAX_VALUE, longNumber(config, name));
    }

    /** Largest record that the service sends: the largest body and what goes with it. */
    int maxRecordBytes() {
        return (int) properties.maxStateSize().toBytes() + RECORD_OVERHEAD_BYTES;
    }

    /** Largest batch of records that a producer makes, as it is set. */
    int batchSize() {
        return number(producerConfig, ProducerConfig.BATCH_SIZE_CONFIG);
    }

    /** @param batchSize largest batch of records, in bytes; a larger record goes in a batch of its own */
    ProducerFactory<byte[], byte[]> producerFactory(String name, int batchSize) {
        Map<String, Object> config = new HashMap<>(producerConfig);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, batchSize);
        config.put(ProducerConfig.CLIENT_ID_CONFIG, clientId(name));
        return new DefaultKafkaProducerFactory<>(config);
    }

    /** A consumer that reads what it is told to, from where it is told to, without a group. */
    Consumer<byte @Nullable [], byte @Nullable []> consumer(String name, Map<String, Object> settings) {
        Map<String, Object> config = kafkaProperties.buildConsumerProperties();
        connect(config, connection.getConsumer());
        config.remove(ConsumerConfig.GROUP_ID_CONFIG);
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId(name));
        config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.putAll(settings);
        return new KafkaConsumer<>(config);
    }

    Admin admin(String name, Map<String, Object> settings) {
        Map<String, Object> config = kafkaProperties.buildAdminProperties();
        connect(config, connection.getAdmin());
        config.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId(name));
        config.putAll(settings);
        return Admin.create(config);
    }

    private String clientId(String name) {
        return properties.instanceId() + "-" + name;
    }

    private static void connect(Map<String, Object> config, KafkaConnectionDetails.Configuration connection) {
        config.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, connection.getBootstrapServers());
        if (StringUtils.hasLength(connection.getSecurityProtocol())) {
            config.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, connection.getSecurityProtocol());
        }
        SslBundle sslBundle = connection.getSslBundle();
        if (sslBundle != null) {
            config.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslBundleSslEngineFactory.class);
            config.put(SslBundle.class.getName(), sslBundle);
        }
    }
}
