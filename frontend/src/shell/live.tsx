import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { getJson, type Problem } from "../api/client";

export const INTERVALS = [1, 2, 5, 10, 30] as const;

interface Polling {
  seconds: number;
  setSeconds: (seconds: number) => void;
  isPaused: boolean;
  setPaused: (paused: boolean) => void;
}

const PollingContext = createContext<Polling | null>(null);

/** Keeps how often the pages ask the service. */
export function PollingProvider({ children }: { children: ReactNode }) {
  const [seconds, setSeconds] = useState(2);
  const [isPaused, setPaused] = useState(false);
  const polling = useMemo(() => ({ seconds, setSeconds, isPaused, setPaused }), [seconds, isPaused]);
  return <PollingContext value={polling}>{children}</PollingContext>;
}

export function usePolling(): Polling {
  const polling = useContext(PollingContext);
  if (polling === null) {
    throw new Error("There is no PollingProvider");
  }
  return polling;
}

export type LiveQuery<T> = UseQueryResult<T, Problem>;

/** What an address of the API answers, asked again and again while the page is in sight. */
export function useLive<T>(
  path: string,
  read: (path: string, signal: AbortSignal) => Promise<T> = getJson<T>,
): LiveQuery<T> {
  const { seconds, isPaused } = usePolling();
  return useQuery<T, Problem>({
    queryKey: [path],
    queryFn: ({ signal }) => read(path, signal),
    refetchInterval: isPaused ? false : seconds * 1000,
    refetchOnWindowFocus: !isPaused,
    placeholderData: keepPreviousData,
  });
}
