package io.durablestate.state;

import java.util.List;

/** Tells several listeners as one. */
record WriteListeners(List<WriteListener> listeners) implements WriteListener {

    @Override
    public void begun(StateKey key, String writeId) {
        listeners.forEach(listener -> listener.begun(key, writeId));
    }

    @Override
    public void acknowledged(Operation operation, String writeId, Revision revision, WriteTimings timings) {
        listeners.forEach(listener -> listener.acknowledged(operation, writeId, revision, timings));
    }

    @Override
    public void failed(FailedWrite failure) {
        listeners.forEach(listener -> listener.failed(failure));
    }

    @Override
    public void refused(Operation operation, NotServingException.Reason reason) {
        listeners.forEach(listener -> listener.refused(operation, reason));
    }
}
