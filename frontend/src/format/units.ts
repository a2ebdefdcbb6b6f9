const KIB = 1024;

/** A number of bytes as people read it. */
export function bytes(count: number): string {
  if (count < KIB) {
    return count === 1 ? "1 byte" : `${count} bytes`;
  }
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length, Math.floor(Math.log(count) / Math.log(KIB)));
  return `${significant(count / KIB ** power)} ${units[power - 1]}`;
}

/** A duration in milliseconds as people read it. */
export function duration(millis: number): string {
  if (millis < 1 && millis > 0) {
    return `${millis.toFixed(2)} ms`;
  }
  if (millis < 1000) {
    return `${significant(millis)} ms`;
  }
  const seconds = millis / 1000;
  if (seconds < 60) {
    return `${significant(seconds)} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min ${Math.floor(seconds % 60)} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** A whole number with its thousands apart. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** A rate, with no more digits than matter. */
export function rate(perSecond: number): string {
  return perSecond === 0 ? "0" : perSecond < 0.1 ? perSecond.toFixed(2) : significant(perSecond);
}

function significant(value: number): string {
  return value >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(3)));
}
