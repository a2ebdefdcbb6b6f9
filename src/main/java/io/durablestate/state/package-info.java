/** States: the words as types, the rules that give the log its meaning, and the service that stores and finds them. */
@NullMarked
package io.durablestate.state;

import org.jspecify.annotations.NullMarked;
