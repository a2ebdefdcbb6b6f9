/** The state log on Kafka: how records are written, followed, replayed, and read back. */
@NullMarked
package io.durablestate.log;

import org.jspecify.annotations.NullMarked;
