package io.durablestate.testcluster;

import java.util.Map;

/**
 * Where one broker listens.
 *
 * @param id its number
 * @param client for clients, with the security under test
 * @param internal for the other brokers
 * @param controller for the controllers
 */
record BrokerPorts(int id, int client, int internal, int controller) {

    static BrokerPorts choose(int id) {
        return new BrokerPorts(id, FreePorts.next(), FreePorts.next(), FreePorts.next());
    }

    String voter() {
        return id + "@127.0.0.1:" + controller;
    }

    Map<String, String> settings(String clientProtocol) {
        String brokerListeners = "CLIENT://127.0.0.1:" + client + ",INTERNAL://127.0.0.1:" + internal;
        return Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                String.valueOf(id),
                "listeners",
                brokerListeners + "," + KafkaCluster.CONTROLLER + "://127.0.0.1:" + controller,
                "advertised.listeners",
                brokerListeners,
                "listener.security.protocol.map",
                "CLIENT:" + clientProtocol + ",INTERNAL:PLAINTEXT," + KafkaCluster.CONTROLLER + ":PLAINTEXT",
                "inter.broker.listener.name",
                "INTERNAL",
                "controller.listener.names",
                KafkaCluster.CONTROLLER);
    }
}
