/** The service seen from outside: the same behaviour on every kind of broker, and under faults. */
package io.durablestate.contract;
