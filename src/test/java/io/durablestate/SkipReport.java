package io.durablestate;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Says aloud which tests did not run and why; the build's own report only counts them. */
public final class SkipReport implements TestExecutionListener {

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        say(test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == Status.ABORTED) {
            say(test, result.getThrowable().map(Throwable::getMessage).orElse("aborted"));
        }
    }

    private static void say(TestIdentifier test, String reason) {
        System.out.printf("SKIPPED %s: %s%n", nameOf(test), reason);
    }

    private static String nameOf(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        if (source instanceof MethodSource method) {
            return method.getClassName() + "." + method.getMethodName();
        }
        return source instanceof ClassSource type ? type.getClassName() : test.getDisplayName();
    }
}
