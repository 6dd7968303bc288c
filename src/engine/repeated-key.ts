/** Where a JSON text gives the same key twice in one object; null when it does not. The text must be valid JSON. */
export function findRepeatedKey(json: string): (string | number)[] | null {
  const open: Container[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const inside = open.at(-1);
    const sign = json.charCodeAt(at);
    if (sign === quote) {
      const end = findStringEnd(json, at);
      if (inside?.keys && inside.at === null) {
        inside.at = readString(json.slice(at, end));
        if (inside.keys.has(inside.at)) return open.map((one) => one.at ?? "");
        inside.keys.add(inside.at);
      }
      at = end - 1;
    } else if (sign === brace) open.push({ keys: new Set(), at: null });
    else if (sign === bracket) open.push({ keys: null, at: 0 });
    else if (sign === closingBrace || sign === closingBracket) open.pop();
    else if (sign === comma && inside) inside.at = typeof inside.at === "number" ? inside.at + 1 : null;
  }
  return null;
}

/** An object with the keys seen so far and the one being read, or an array with the index being read. */
type Container = { keys: Set<string> | null; at: string | number | null };

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [brace, closingBrace, bracket, closingBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The place behind the string that begins at `start`. */
function findStringEnd(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let first = at;
    while (json.charCodeAt(first - 1) === backslash) first -= 1;
    if ((at - first) % 2 === 0) return at + 1;
  }
  return json.length;
}

function readString(token: string): string {
  return token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
}
