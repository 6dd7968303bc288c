import { sayName } from "./words.ts";

const token = /"((?:[^"\\]|\\.)*)("|\\?$)\s*(:)?|-?\d+(?:\.\d+)?|true|false/g;
const escapes: Record<string, string> = { n: "\n", t: "\t", r: "", b: "", f: "" };

/** The words of a reply that is still coming: JSON without its marks, each key before what belongs to it. */
export function readPartial(raw: string): string {
  if (!/^\s*(?:```(?:json)?\s*)?[{[]/.test(raw)) return raw;
  const lines: string[] = [];
  let key = "";
  for (const match of raw.matchAll(token)) {
    const [whole, text, end, colon] = match;
    const isLast = match.index + whole.length >= raw.length;
    if (colon) key = sayName(text ?? "");
    // What was just closed may turn out to be a key with the next sign.
    else if (isLast && end === '"') continue;
    else {
      const said = text === undefined ? whole : unescape(text);
      if (said !== "") lines.push(key === "" ? said : `${key}: ${said}`);
      key = "";
    }
  }
  return lines.join("\n");
}

function unescape(text: string): string {
  return text.replaceAll(/\\(u[0-9a-fA-F]{4}|.)/g, (_, mark: string) =>
    mark.length === 5 ? String.fromCharCode(Number.parseInt(mark.slice(1), 16)) : (escapes[mark] ?? mark),
  );
}
