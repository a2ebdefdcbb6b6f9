import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const service = process.env.DURABLE_STATE ?? "http://127.0.0.1:8080";
const served = ["/api", "/actuator", "/problems", "/swagger-ui", "/v3"];

export default defineConfig({
  // Every address in the build is relative, so that the console works under any prefix.
  base: "./",
  plugins: [react()],
  build: { target: "es2022", sourcemap: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: Object.fromEntries(served.map((path) => [path, service])) },
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"] },
});
