package io.durablestate.failure;

import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Lets unknown outcomes be settled in the background. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class FailureConfiguration {}
