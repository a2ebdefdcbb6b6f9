const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = "  ";

/**
 * Lays a JSON text out on lines. Every token stays as it was written, so that no number is rounded; null when the text is not
 * made of tokens.
 */
export function indentJson(text: string): string | null {
  const tokens = text.match(TOKEN);
  if (tokens === null || tokens.join("") !== withoutSpace(text)) {
    return null;
  }
  let depth = 0;
  let result = "";
  tokens.forEach((token, index) => {
    const isEmpty = (token === "{" && tokens[index + 1] === "}") || (token === "[" && tokens[index + 1] === "]");
    const closesEmpty = (token === "}" && tokens[index - 1] === "{") || (token === "]" && tokens[index - 1] === "[");
    if (isEmpty || closesEmpty) {
      result += token;
    } else if (token === "{" || token === "[") {
      depth += 1;
      result += token + newLine(depth);
    } else if (token === "}" || token === "]") {
      depth -= 1;
      result += newLine(depth) + token;
    } else if (token === ",") {
      result += token + newLine(depth);
    } else {
      result += token === ":" ? ": " : token;
    }
  });
  return result;
}

function newLine(depth: number): string {
  return `\n${INDENT.repeat(Math.max(0, depth))}`;
}

/** Without the space between tokens. */
function withoutSpace(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ""));
}
