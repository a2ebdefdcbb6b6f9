package io.durablestate.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The files of the console. The names of scripts, styles and the icon change with what is in them. */
@Configuration(proxyBeanMethods = false)
class ConsoleFiles implements WebMvcConfigurer {

    private static final Duration FOREVER = Duration.ofDays(365);
    private static final Pattern LINK = Pattern.compile("<link rel=\"(?:icon|stylesheet)\"[^>]*>");

    private final Resource document = new ClassPathResource("console/index.html");
    private final List<String> links;

    ConsoleFiles() throws IOException {
        links = LINK.matcher(document.getContentAsString(StandardCharsets.UTF_8))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    /** The one document of the console. */
    Resource document() {
        return document;
    }

    /**
     * Elements that give another page the icon and the styles of the console.
     *
     * @param console address of the console as seen from that page, ending in a slash
     */
    String links(String console) {
        return links.stream().map(link -> link.replace("\"./", "\"" + console)).collect(Collectors.joining("\n"));
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/console/assets/**")
                .addResourceLocations("classpath:/console/assets/")
                .setCacheControl(CacheControl.maxAge(FOREVER).cachePublic().immutable());
    }
}
