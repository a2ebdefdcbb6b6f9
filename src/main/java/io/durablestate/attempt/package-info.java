/** Attempts: who may work on a key. A claim makes every attempt before it harmless. */
@NullMarked
package io.durablestate.attempt;

import org.jspecify.annotations.NullMarked;
