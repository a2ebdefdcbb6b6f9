package io.durablestate.log;

/** An event: the state log has been replayed, and the instance serves. */
public record LogReplayed() {}
