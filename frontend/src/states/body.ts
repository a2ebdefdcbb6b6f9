/** Bytes that are shown at first. */
export const FIRST_BYTES = 64 * 1024;

/** A body as text, when it is meant to be read and is UTF-8. A character that is cut off at the end is left out. */
export function textOf(bytes: Uint8Array, contentType: string, isCut: boolean): string | null {
  if (!isText(contentType)) {
    return null;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}

export function isJson(contentType: string): boolean {
  return /^application\/(json|[^;]*\+json)\s*(;|$)/i.test(contentType);
}

function isText(contentType: string): boolean {
  return isJson(contentType) || /^text\/|^application\/(xml|x-www-form-urlencoded|yaml|toml)/i.test(contentType);
}

const ROW = 16;

/** Offset, bytes and what can be printed of them, 16 to a line. */
export function hexDump(bytes: Uint8Array): string {
  const lines = [];
  for (let offset = 0; offset < bytes.length; offset += ROW) {
    const row = [...bytes.subarray(offset, offset + ROW)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const print = row.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${offset.toString(16).padStart(8, "0")}  ${hex.padEnd(ROW * 3)} ${print}`);
  }
  return lines.join("\n");
}
