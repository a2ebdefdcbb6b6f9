import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { App } from "./App";
import { consolePath } from "./api/base";
import { PollingProvider } from "./shell/live";
import { restoreTheme } from "./shell/theme";
import "uplot/dist/uPlot.min.css";
import "./console.css";

restoreTheme();

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: "always" } },
});

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <PollingProvider>
        <Router base={consolePath(window.location.pathname).replace(/\/$/, "")}>
          <App />
        </Router>
      </PollingProvider>
    </QueryClientProvider>
  </StrictMode>,
);
