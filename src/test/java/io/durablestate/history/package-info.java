/** Checks what clients saw against what a log that is folded in order can have shown them. */
@NullMarked
package io.durablestate.history;

import org.jspecify.annotations.NullMarked;
