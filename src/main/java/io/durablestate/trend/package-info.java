/** What this instance has been doing over the last fifteen minutes, for people to look at. */
@NullMarked
package io.durablestate.trend;

import org.jspecify.annotations.NullMarked;
