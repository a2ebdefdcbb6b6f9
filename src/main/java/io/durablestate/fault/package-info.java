/** Faults on demand: writes that behave badly, so that authors of clients can test what they do about it. Off by default. */
@NullMarked
package io.durablestate.fault;

import org.jspecify.annotations.NullMarked;
