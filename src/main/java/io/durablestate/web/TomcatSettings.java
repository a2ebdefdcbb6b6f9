package io.durablestate.web;

import java.nio.charset.StandardCharsets;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Lets every byte of a name through to {@link StatePath}, which decides, and answers what Tomcat refuses by itself in the
 * form of all other errors.
 */
@Component
final class TomcatSettings implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    /** Characters that are not legal in an address unless percent-encoded, and that Tomcat can leave to us. */
    private static final String RELAXED = "\"<>[\\]^`{|}";

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.addConnectorCustomizers(connector -> {
            connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
            connector.setEncodedReverseSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
            // Single bytes always decode, so that Tomcat does not refuse what it needs only for its own mapping.
            connector.setURIEncoding(StandardCharsets.ISO_8859_1.name());
            connector.setProperty("relaxedPathChars", RELAXED);
            connector.setProperty("relaxedQueryChars", RELAXED);
            connector.setProperty("continueResponseTiming", "onRead");
        });
        factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(TomcatErrors.class.getName());
            }
        });
    }
}
