/** Serves the console, the page for operators that is built from {@code frontend/}. */
@NullMarked
package io.durablestate.console;

import org.jspecify.annotations.NullMarked;
