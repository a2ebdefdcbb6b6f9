import { useRef } from "react";
import { getJson, query } from "../api/client";
import type { Sample } from "../api/types";
import { type LiveQuery, useLive } from "../shell/live";

const KEPT_MILLIS = 15 * 60 * 1000;

/** Samples with newer ones behind them, and none that is too old. */
export function appended(samples: Sample[], newer: Sample[]): Sample[] {
  const all = [...samples, ...newer];
  const last = all.at(-1);
  return last ? all.filter((sample) => Date.parse(last.time) - Date.parse(sample.time) < KEPT_MILLIS) : all;
}

/** The samples of the last fifteen minutes; asks only for what is new. */
export function useSamples(): LiveQuery<Sample[]> {
  const known = useRef<Sample[]>([]);
  return useLive<Sample[]>("/api/v1/trend", async (path, signal) => {
    const since = known.current.at(-1)?.time;
    const { samples } = await getJson<{ samples: Sample[] }>(path + query({ since }), signal);
    if (samples.length > 0) {
      known.current = appended(known.current, samples);
    }
    return known.current;
  });
}
