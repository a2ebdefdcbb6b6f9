package io.durablestate.log;

/** The order in which the parts of this package start; they stop the other way round, after the web server. */
final class Phases {

    static final int PROBE = -300;
    static final int LANES = -200;
    static final int LOOKUPS = -150;
    static final int READER = -100;

    private Phases() {}
}
