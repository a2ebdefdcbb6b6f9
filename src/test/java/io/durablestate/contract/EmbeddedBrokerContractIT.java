package io.durablestate.contract;

import java.util.Map;

/** The contract on the broker inside the process. */
class EmbeddedBrokerContractIT extends WorkerContract {

    @Override
    Map<String, String> startKafka() {
        return Map.of();
    }
}
