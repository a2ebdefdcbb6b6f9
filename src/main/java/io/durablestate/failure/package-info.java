/** What went wrong: writes that failed, why, and what became of those whose outcome was unknown. */
@NullMarked
package io.durablestate.failure;

import org.jspecify.annotations.NullMarked;
