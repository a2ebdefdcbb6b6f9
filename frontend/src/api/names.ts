import { query } from "./client";
import type { StateName } from "./types";

/** Every byte that is neither letter nor digit percent-encoded, as the service wants it. */
function segment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*~._-]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The address of a state in the API. */
export function statePath(name: StateName): string {
  const segments = [name.key, name.sequence, name.action, ...(name.event === null ? [] : [name.event])];
  return `/api/v1/states/${segments.map(segment).join("/")}`;
}

/** The address of a key's attempts in the API. */
export function attemptPath(key: string): string {
  return `/api/v1/attempts/${segment(key)}`;
}

/** The address of a state's page in the console. */
export function statePage(name: StateName): string {
  return `/state${query({ key: name.key, sequence: name.sequence, action: name.action, event: name.event })}`;
}

/** A state as people write it. */
export function stateText(name: StateName): string {
  return [name.key, name.sequence, name.action, ...(name.event === null ? [] : [name.event])].join("/");
}

/** Reads what people write: key/sequence/action or key/sequence/action/event, each perhaps percent-encoded. */
export function parseStateText(text: string): StateName | null {
  const parts = text.trim().split("/");
  if ((parts.length !== 3 && parts.length !== 4) || !/^\d+$/.test(parts[1] ?? "")) {
    return null;
  }
  try {
    const [key = "", sequence = "", action = "", event] = parts.map(decodeURIComponent);
    return key && action && event !== "" ? { key, sequence, action, event: event ?? null } : null;
  } catch {
    return null;
  }
}
