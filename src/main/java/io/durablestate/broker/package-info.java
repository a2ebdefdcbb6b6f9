/** The Kafka broker inside this process, started when no other cluster is named. */
@NullMarked
package io.durablestate.broker;

import org.jspecify.annotations.NullMarked;
