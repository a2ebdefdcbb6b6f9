import { useEffect, useRef } from "react";
import uPlot from "uplot";
import { clockTime, Time } from "../format/time";
import { useIsDark } from "../shell/theme";
import { Table } from "../ui/Table";

export interface Series {
  label: string;
  values: (number | null)[];
}

interface PlotProps {
  title: string;
  times: string[];
  series: Series[];
  format: (value: number) => string;
}

const HEIGHT = 150;
const COLOURS = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6"];

/** Lines over time, with the same as a table below. All plots of a page share one cursor. */
export function Plot({ title, times, series, format }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  const plot = useRef<uPlot | null>(null);
  const labels = series.map((one) => one.label).join("\n");
  const data: uPlot.AlignedData = [times.map((time) => Date.parse(time) / 1000), ...series.map((one) => one.values)];
  const latest = useRef(data);
  latest.current = data;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme at that time
  useEffect(() => {
    const element = box.current;
    if (element === null) {
      return;
    }
    const made = new uPlot(options(element, labels.split("\n"), format), latest.current, element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [labels, format, isDark]);

  useEffect(() => plot.current?.setData(data));

  return (
    <figure className="card plot">
      <figcaption>{title}</figcaption>
      <div ref={box} />
      <details>
        <summary>As a table</summary>
        <Table label={title} columns={["Time", ...series.map((one) => ({ number: one.label }))]}>
          {[...times.keys()].reverse().map((index) => (
            <tr key={times[index]}>
              <td>
                <Time at={times[index] ?? ""} short />
              </td>
              {series.map((one) => {
                const value = one.values[index];
                return (
                  <td key={one.label} className="number">
                    {value === null || value === undefined ? "–" : format(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}

function options(element: HTMLElement, labels: string[], format: (value: number) => string): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const ink = colour(style, "--ink-quiet");
  const axis = { stroke: ink, grid: { stroke: colour(style, "--line"), width: 1 }, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { sync: { key: "trends" }, points: { size: 6 } },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(max ?? 0, 1) * 1.1] } },
    axes: [
      { ...axis, values: (_plot, splits) => splits.map((seconds) => timeOfDay(seconds)), space: 90, size: 30 },
      { ...axis, size: 64, values: (_plot, splits) => splits.map(format) },
    ],
    series: [
      { label: "Time", value: (_plot: uPlot, seconds: number | null) => (seconds === null ? "–" : timeOfDay(seconds)) },
      ...labels.map((label, index) => ({
        label,
        stroke: colour(style, COLOURS[index % COLOURS.length] ?? "--ink"),
        width: 1.5,
        points: { show: false },
        value: (_plot: uPlot, value: number | null) => (value === null ? "–" : format(value)),
      })),
    ],
  };
}

function timeOfDay(seconds: number): string {
  return clockTime(seconds * 1000);
}

/** A colour as the page shows it: light-dark() has to be asked of an element. */
function colour(style: CSSStyleDeclaration, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = style.getPropertyValue(name);
  document.body.append(probe);
  const shown = getComputedStyle(probe).color;
  probe.remove();
  return shown;
}
