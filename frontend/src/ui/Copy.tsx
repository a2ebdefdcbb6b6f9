import { useState } from "react";

/** A command that can be copied. */
export function Command({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="command">
      <pre>
        <code>{text}</code>
      </pre>
      <button
        type="button"
        onClick={async () => {
          await navigator.clipboard.writeText(text);
          setCopied(true);
        }}
      >
        {isCopied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}
