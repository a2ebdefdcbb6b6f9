package io.durablestate;

/** Where the states lie, for people. */
@FunctionalInterface
public interface DataLocation {

    /** One line, such as a directory or the brokers of a cluster. */
    String line();
}
