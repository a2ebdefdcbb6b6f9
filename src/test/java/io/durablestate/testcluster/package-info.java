/** Real processes for tests: Kafka brokers and the service itself, to be killed, frozen and started again. */
@NullMarked
package io.durablestate.testcluster;

import org.jspecify.annotations.NullMarked;
