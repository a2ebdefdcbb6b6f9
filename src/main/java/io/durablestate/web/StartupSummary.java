package io.durablestate.web;

import io.durablestate.DataLocation;
import io.durablestate.DurableStateProperties;
import io.durablestate.durability.Durability;
import io.durablestate.durability.DurabilityJudge;
import io.durablestate.log.LogReplayed;
import io.durablestate.log.LogStatus;
import io.durablestate.state.FoldedLog;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Tells who started the service where it is and what it promises, once it serves for the first time. */
@Component
class StartupSummary {

    private static final Logger log = LoggerFactory.getLogger(StartupSummary.class);

    private final DurableStateProperties properties;
    private final DurabilityJudge judge;
    private final LogStatus status;
    private final FoldedLog foldedLog;
    private final Environment environment;
    private final String location;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile @Nullable Integer port;

    StartupSummary(
            DurableStateProperties properties,
            DurabilityJudge judge,
            LogStatus status,
            FoldedLog foldedLog,
            Environment environment,
            KafkaConnectionDetails connection,
            ObjectProvider<DataLocation> location) {
        this.properties = properties;
        this.judge = judge;
        this.status = status;
        this.foldedLog = foldedLog;
        this.environment = environment;
        DataLocation own = location.getIfAvailable();
        this.location = own == null ? "Kafka at " + String.join(", ", connection.getBootstrapServers()) : own.line();
    }

    @EventListener
    void listening(WebServerInitializedEvent event) {
        port = event.getWebServer().getPort();
        tellOnce();
    }

    @EventListener(LogReplayed.class)
    void replayed() {
        tellOnce();
    }

    private void tellOnce() {
        Integer listening = port;
        if (listening == null || status.phase() != LogStatus.Phase.READY || !told.compareAndSet(false, true)) {
            return;
        }
        String address = address(listening);
        Durability durability = judge.now();
        log.info(
                """
                Durable State is ready.
                  Address     {}
                  Console     {}/console/
                  Swagger UI  {}/swagger-ui.html
                  States      {} in topic {}, {}
                  Durability  {}: {}. {}
                """,
                address,
                address,
                address,
                foldedLog.states(),
                properties.topic(),
                location,
                durability.verdict().word(),
                durability.verdict().sentence(),
                durability.reasons().get(0));
    }

    private String address(int listening) {
        boolean secure = environment.getProperty("server.ssl.bundle") != null
                || environment.getProperty("server.ssl.key-store") != null
                || environment.getProperty("server.ssl.certificate") != null;
        String host = environment.getProperty("server.address", "localhost");
        String contextPath = environment.getProperty("server.servlet.context-path", "");
        return "%s://%s:%d%s".formatted(secure ? "https" : "http", host, listening, contextPath);
    }
}
