/** What an acknowledgement means on the cluster in use. */
@NullMarked
package io.durablestate.durability;

import org.jspecify.annotations.NullMarked;
