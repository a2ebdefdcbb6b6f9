import { duration } from "./units";

const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** A moment on the reader's clock; the time in UTC shows on hover. */
export function Time({ at, short = false }: { at: string; short?: boolean }) {
  const moment = new Date(at);
  const isToday = moment.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={`${at.replace("T", " ").replace("Z", "")} UTC`}>
      {(short || isToday ? TIME : DAY_AND_TIME).format(moment)}
    </time>
  );
}

/** The time of day at a moment. */
export function clockTime(millis: number): string {
  return TIME.format(new Date(millis));
}

/** How long ago a moment was. */
export function ago(at: string, now: number = Date.now()): string {
  const millis = now - Date.parse(at);
  return millis < 1000 ? "just now" : `${duration(Math.floor(millis / 1000) * 1000)} ago`;
}
