/** HTTP: translates requests into calls of the service and its answers into responses. */
@NullMarked
package io.durablestate.web;

import org.jspecify.annotations.NullMarked;
