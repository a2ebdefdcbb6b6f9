package io.durablestate.testcluster;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How clients prove who they are. Brokers among themselves always talk in plain text. */
public enum ClientSecurity {
    /** Not at all. */
    PLAINTEXT {
        @Override
        Map<String, String> brokerSettings(Collection<User> users, Certificates certificates) {
            return Map.of();
        }

        @Override
        Map<String, String> clientSettings(User user, Certificates certificates) {
            return Map.of();
        }
    },

    /** Name and password, sent as they are. */
    SASL_PLAIN {
        @Override
        Map<String, String> brokerSettings(Collection<User> users, Certificates certificates) {
            String accounts = users.stream()
                    .map(user -> "user_%s=\"%s\"".formatted(user.name(), user.password()))
                    .collect(Collectors.joining(" "));
            return Map.of(
                    "sasl.enabled.mechanisms",
                    "PLAIN",
                    "listener.name.client.plain.sasl.jaas.config",
                    "org.apache.kafka.common.security.plain.PlainLoginModule required " + accounts + ";");
        }

        @Override
        Map<String, String> clientSettings(User user, Certificates certificates) {
            return sasl("PLAIN", "plain.PlainLoginModule", user);
        }
    },

    /** Name and password by SCRAM-SHA-256; the brokers keep the users in their metadata. */
    SASL_SCRAM {
        @Override
        Map<String, String> brokerSettings(Collection<User> users, Certificates certificates) {
            return Map.of(
                    "sasl.enabled.mechanisms", "SCRAM-SHA-256",
                    "listener.name.client.scram-sha-256.sasl.jaas.config",
                            "org.apache.kafka.common.security.scram.ScramLoginModule required;");
        }

        @Override
        Map<String, String> clientSettings(User user, Certificates certificates) {
            return sasl("SCRAM-SHA-256", "scram.ScramLoginModule", user);
        }
    },

    /** TLS with a certificate on both sides; the user is {@code CN=name}. */
    SSL {
        @Override
        Map<String, String> brokerSettings(Collection<User> users, Certificates certificates) {
            Map<String, String> settings = stores(certificates, Certificates.BROKER);
            settings.put("ssl.client.auth", "required");
            return settings;
        }

        @Override
        Map<String, String> clientSettings(User user, Certificates certificates) {
            Map<String, String> settings = stores(certificates, user.name());
            settings.put("security.protocol", "SSL");
            return settings;
        }

        private Map<String, String> stores(Certificates certificates, String owner) {
            Path keys = certificates.keyStoreOf(owner);
            return new TreeMap<>(Map.of(
                    "ssl.keystore.location",
                    keys.toString(),
                    "ssl.keystore.password",
                    Certificates.PASSWORD,
                    "ssl.keystore.type",
                    "PKCS12",
                    "ssl.truststore.location",
                    certificates.trustStore().toString(),
                    "ssl.truststore.password",
                    Certificates.PASSWORD,
                    "ssl.truststore.type",
                    "PKCS12"));
        }
    };

    /** Somebody who may connect. */
    record User(String name, String password) {}

    abstract Map<String, String> brokerSettings(Collection<User> users, Certificates certificates);

    abstract Map<String, String> clientSettings(User user, Certificates certificates);

    /** Kafka's name for the protocol of the listener. */
    String protocol() {
        return switch (this) {
            case PLAINTEXT -> "PLAINTEXT";
            case SASL_PLAIN, SASL_SCRAM -> "SASL_PLAINTEXT";
            case SSL -> "SSL";
        };
    }

    /** How an authorizer calls a user. */
    String principal(String user) {
        return "User:" + (this == SSL ? "CN=" + user : user);
    }

    private static Map<String, String> sasl(String mechanism, String module, User user) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                mechanism,
                "sasl.jaas.config",
                "org.apache.kafka.common.security.%s required username=\"%s\" password=\"%s\";"
                        .formatted(module, user.name(), user.password()));
    }
}
