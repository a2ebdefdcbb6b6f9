package io.durablestate.log;

import org.apache.kafka.common.Uuid;

/**
 * The topic that an instance works on: fit, and there.
 *
 * @param id identity of the topic; another one under the same name is another log
 * @param partitions how many it has, pinned
 */
record StateTopic(String name, Uuid id, int partitions) {}
