package io.durablestate.console;

import java.time.Duration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Scripts, styles and the icon of the console; the name of each file changes with what is in it. */
@Configuration(proxyBeanMethods = false)
class ConsoleFiles implements WebMvcConfigurer {

    private static final Duration FOREVER = Duration.ofDays(365);

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/console/assets/**")
                .addResourceLocations("classpath:/console/assets/")
                .setCacheControl(CacheControl.maxAge(FOREVER).cachePublic().immutable());
    }
}
