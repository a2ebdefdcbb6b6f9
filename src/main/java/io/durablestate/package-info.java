/** The service as a whole: its start and its settings. */
@NullMarked
package io.durablestate;

import org.jspecify.annotations.NullMarked;
