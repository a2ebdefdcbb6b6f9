import { serviceUrl } from "./base";

/** What the service answered instead of what was asked for. Status 0: it did not answer at all. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly slug: string | null,
  ) {
    super(detail || title);
  }

  get isUnreachable(): boolean {
    return this.status === 0;
  }
}

interface ProblemBody {
  title?: string;
  detail?: string;
  type?: string;
}

const UNREACHABLE = new Problem(0, "The service cannot be reached", "Nothing answered at this address.", null);

async function problemOf(response: Response): Promise<Problem> {
  const isOurs = response.headers.get("Content-Type")?.startsWith("application/problem+json");
  if (!isOurs && [502, 503, 504].includes(response.status)) {
    return UNREACHABLE; // so says a proxy
  }
  const body: ProblemBody = await response.json().catch(() => ({}));
  const slug = body.type?.match(/\/problems\/([a-z-]+)$/)?.[1] ?? null;
  return new Problem(response.status, body.title ?? `The service answered ${response.status}`, body.detail ?? "", slug);
}

/** Asks the service; a status that is no success is thrown as a problem. */
export async function request(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(serviceUrl(path), init);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") {
      throw cause;
    }
    throw UNREACHABLE;
  }
  if (!response.ok) {
    throw await problemOf(response);
  }
  return response;
}

/** Quotes sequences, which may be larger than JavaScript's numbers can hold, so that they arrive as they are. */
export function parseAnswer<T>(text: string): T {
  return JSON.parse(text.replace(/("(?:[^"\\]|\\.)*")(\s*:\s*\d+)?/g, quoteSequence)) as T;
}

function quoteSequence(match: string, name: string, value?: string): string {
  return name === '"sequence"' && value !== undefined ? `"sequence":"${value.replace(/\D/g, "")}"` : match;
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, signal ? { signal } : undefined);
  return parseAnswer<T>(await response.text());
}

/** A query string with all that has a value, or nothing. */
export function query(parameters: Record<string, string | number | boolean | null | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
