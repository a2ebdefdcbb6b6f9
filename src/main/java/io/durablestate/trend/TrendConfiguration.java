package io.durablestate.trend;

import io.durablestate.log.ReaderLag;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the trend. */
@Configuration(proxyBeanMethods = false)
class TrendConfiguration {

    @Bean
    Trend trend(Clock clock, ReaderLag readerLag) {
        return new Trend(clock, readerLag::total);
    }
}
