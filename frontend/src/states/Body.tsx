import { useState } from "react";
import { serviceUrl } from "../api/base";
import { statePath } from "../api/names";
import type { StateName } from "../api/types";
import { indentJson } from "../format/json";
import { bytes as sizeText } from "../format/units";
import { FIRST_BYTES, hexDump, isJson, textOf } from "./body";

interface BodyProps {
  name: StateName;
  bytes: Uint8Array;
  contentType: string;
}

/** The stored bytes as they are; a long one is cut off first. */
export function Body({ name, bytes, contentType }: BodyProps) {
  const [isWhole, setWhole] = useState(false);
  const [isPretty, setPretty] = useState(false);
  const isCut = !isWhole && bytes.length > FIRST_BYTES;
  const shown = isCut ? bytes.subarray(0, FIRST_BYTES) : bytes;
  const text = textOf(shown, contentType, isCut);
  const pretty = text !== null && isJson(contentType) && !isCut ? indentJson(text) : null;
  return (
    <section className="card" aria-labelledby="body">
      <header className="card-head">
        <h2 id="body">Body</h2>
        <span className="quiet">
          {contentType}, {sizeText(bytes.length)}
        </span>
        {pretty !== null && (
          <button type="button" aria-pressed={isPretty} onClick={() => setPretty(!isPretty)}>
            Indented
          </button>
        )}
        <a href={serviceUrl(statePath(name))} download>
          Download
        </a>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <pre className="body" tabIndex={0}>
        {(isPretty && pretty) || (text ?? hexDump(shown))}
      </pre>
      {isCut && (
        <p>
          The first {sizeText(FIRST_BYTES)} of {sizeText(bytes.length)}.{" "}
          <button type="button" onClick={() => setWhole(true)}>
            Show all
          </button>
        </p>
      )}
    </section>
  );
}
