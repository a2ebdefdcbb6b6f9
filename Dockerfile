# syntax=docker/dockerfile:1

FROM eclipse-temurin:25.0.3_9-jdk-noble AS build
# The console is built with Node.
COPY --from=node:24-bookworm-slim /usr/local/bin/node /usr/local/bin/
COPY --from=node:24-bookworm-slim /usr/local/lib/node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
WORKDIR /build
COPY . .
# The caches keep Maven and the dependencies from one build to the next.
RUN --mount=type=cache,target=/root/.m2 --mount=type=cache,target=/root/.npm ./mvnw -B -ntp -DskipTests package
# One directory per layer, so that a new version of the service shares the layer of its dependencies.
RUN java -Djarmode=tools -jar target/durable-state.jar extract --layers --destination layers

FROM eclipse-temurin:25.0.3_9-jre-noble
RUN groupadd --system --gid 10001 durable-state \
    && useradd --system --uid 10001 --gid durable-state --no-create-home --home-dir /app durable-state \
    && install -d -o durable-state -g durable-state /app/data
WORKDIR /app
COPY --from=build /build/layers/dependencies/ ./
COPY --from=build /build/layers/spring-boot-loader/ ./
COPY --from=build /build/layers/snapshot-dependencies/ ./
COPY --from=build /build/layers/application/ ./
USER 10001:10001

# The data of the embedded broker; not used when SPRING_KAFKA_BOOTSTRAP_SERVERS names a cluster.
VOLUME /app/data

# Read by java itself. Kafka's buffers lie outside the heap, hence not more than 60 percent for it. Kafka's client unmaps
# its files in a way that JDK 24 and newer warn about when not told.
ENV JDK_JAVA_OPTIONS="-XX:MaxRAMPercentage=60 -XX:+ExitOnOutOfMemoryError --sun-misc-unsafe-memory-access=allow"

# A published port reaches the container from outside, so listening on its loopback alone would answer nobody.
ENV SERVER_ADDRESS=0.0.0.0
EXPOSE 8080

# The image has neither curl nor wget, so bash asks by itself: 0 when the answer is 200.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /actuator/health/readiness HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]

# Exec form: java is process 1 and gets the SIGTERM of a stop.
ENTRYPOINT ["java", "-jar", "durable-state.jar"]
