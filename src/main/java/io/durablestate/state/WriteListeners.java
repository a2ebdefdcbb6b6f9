package io.durablestate.state;

import java.util.List;

/** Tells several listeners as one. */
record WriteListeners(List<WriteListener> listeners) implements WriteListener {

    @Override
    public void begun(WriteIdentity write) {
        listeners.forEach(listener -> listener.begun(write));
    }

    @Override
    public void acknowledged(Operation operation, WriteIdentity write, Revision at, WriteTimings timings) {
        listeners.forEach(listener -> listener.acknowledged(operation, write, at, timings));
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
