import type { Sample } from "../api/types";
import { count, duration, rate } from "../format/units";
import { Live } from "../ui/Live";
import { Plot, type Series } from "./Plot";
import { useSamples } from "./samples";

const PHASES = [
  ["total", "In all"],
  ["send", "Send"],
  ["flush", "Flush"],
  ["acknowledgement", "Acknowledgement"],
] as const;

/** How writes went over the last fifteen minutes. */
export function Trends() {
  return (
    <section aria-labelledby="trends">
      <h2 id="trends">The last 15 minutes</h2>
      <Live query={useSamples()}>
        {(samples) =>
          samples.length === 0 ? (
            <p className="quiet">There is no sample yet; the first comes in 5 seconds.</p>
          ) : (
            <Plots samples={samples} />
          )
        }
      </Live>
    </section>
  );
}

function Plots({ samples }: { samples: Sample[] }) {
  const times = samples.map((sample) => sample.time);
  return (
    <div className="plots">
      <Plot title="Writes acknowledged, per second" times={times} series={writes(samples)} format={rate} />
      <Plot title="Writes that failed, per second" times={times} series={failures(samples)} format={rate} />
      <Plot title="Time of a put, half take no longer" times={times} series={times50(samples)} format={duration} />
      <Plot title="Time of a put, 99 of 100 take no longer" times={times} series={times99(samples)} format={duration} />
      <Plot title="Offsets that the reader is behind" times={times} series={lag(samples)} format={count} />
    </div>
  );
}

function writes(samples: Sample[]): Series[] {
  return [{ label: "Writes", values: samples.map((sample) => sample.writesPerSecond) }];
}

function failures(samples: Sample[]): Series[] {
  const problems = [...new Set(samples.flatMap((sample) => Object.keys(sample.failuresPerSecond)))].sort();
  return (problems.length === 0 ? ["none"] : problems).map((problem) => ({
    label: problem,
    values: samples.map((sample) => sample.failuresPerSecond[problem] ?? 0),
  }));
}

function times50(samples: Sample[]): Series[] {
  return PHASES.map(([phase, label]) => ({
    label,
    values: samples.map((sample) => sample.putMillis[phase]?.p50 ?? null),
  }));
}

function times99(samples: Sample[]): Series[] {
  return PHASES.map(([phase, label]) => ({
    label,
    values: samples.map((sample) => sample.putMillis[phase]?.p99 ?? null),
  }));
}

function lag(samples: Sample[]): Series[] {
  return [{ label: "Offsets", values: samples.map((sample) => sample.readerLag) }];
}
