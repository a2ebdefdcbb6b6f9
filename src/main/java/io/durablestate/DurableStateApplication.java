package io.durablestate;

import java.time.Clock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/** The durable state service: an HTTP front for one compacted Kafka topic, the state log. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class DurableStateApplication {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    public static void main(String[] args) {
        SpringApplication.run(DurableStateApplication.class, args);
    }
}
