/** Events: what happens in the log, told in its order to those who listen, and once more from where they left off. */
@NullMarked
package io.durablestate.event;

import org.jspecify.annotations.NullMarked;
