package io.durablestate.broker;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a broker that cannot be started as a description and an action instead of a stack trace. */
final class EmbeddedBrokerFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedBrokerException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedBrokerException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), rootFailure);
    }
}
