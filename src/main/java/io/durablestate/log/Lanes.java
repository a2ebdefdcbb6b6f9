package io.durablestate.log;

import io.durablestate.DurableStateProperties;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** The lanes of the state log: a partition always takes the same one. */
@Component
public final class Lanes implements SmartLifecycle {

    private final DurableStateProperties properties;
    private final KafkaClients clients;
    private final RecordLimit recordLimit;
    private volatile int batchSize;
    private volatile List<ProducerLane> lanes = List.of();
    private volatile int partitions;
    private volatile boolean running;

    Lanes(DurableStateProperties properties, KafkaClients clients, RecordLimit recordLimit) {
        this.properties = properties;
        this.clients = clients;
        this.recordLimit = recordLimit;
        this.batchSize = clients.batchSize();
    }

    /**
     * Largest batch: what producers are set to, or what the topic takes when that is less. A producer would split a larger one
     * into the same batches again, until their time is over.
     */
    private int batchSize() {
        recordLimit.bytes().ifPresent(limit -> batchSize = (int) Math.min(clients.batchSize(), limit));
        return batchSize;
    }

    /** How many there are; 0 before the state log has been reached. */
    public int count() {
        return lanes.size();
    }

    /** Partitions of the state log; 0 before it has been reached. */
    int partitions() {
        return partitions;
    }

    ProducerLane of(int partition) {
        List<ProducerLane> now = lanes;
        return now.get(partition % now.size());
    }

    /** Makes the lanes for a number of partitions, unless they are there. */
    synchronized void open(int partitionCount) {
        if (partitions == partitionCount) {
            return;
        }
        lanes.forEach(ProducerLane::retire);
        int count = properties.producerLanes() == null
                ? partitionCount
                : Math.min(properties.producerLanes(), partitionCount);
        List<ProducerLane> opened = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = "lane-" + i;
            opened.add(new ProducerLane(name, this::batchSize, size -> clients.producerFactory(name, size)));
        }
        lanes = List.copyOf(opened);
        partitions = partitionCount;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public synchronized void stop() {
        running = false;
        lanes.forEach(ProducerLane::close);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Phases.LANES;
    }
}
