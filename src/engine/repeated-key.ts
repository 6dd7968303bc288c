/** Where a JSON text gives the same key twice in one object; null when it does not. The text must be valid JSON. */
export function findRepeatedKey(json: string): (string | number)[] | null {
  const open: Container[] = [];
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;
  for (let match = token.exec(json); match; match = token.exec(json)) {
    const [text] = match;
    const inside = open.at(-1);
    if (text === "{") open.push({ keys: new Set(), at: null });
    else if (text === "[") open.push({ keys: null, at: 0 });
    else if (text === "}" || text === "]") open.pop();
    else if (text === ",") {
      if (inside) inside.at = inside.keys || typeof inside.at !== "number" ? null : inside.at + 1;
    } else if (inside?.keys && inside.at === null) {
      inside.at = JSON.parse(text) as string;
      if (inside.keys.has(inside.at)) return open.map(({ at }) => at ?? "");
      inside.keys.add(inside.at);
    }
  }
  return null;
}

/** An object with the keys seen so far and the one being read, or an array with the index being read. */
type Container = { keys: Set<string> | null; at: string | number | null };
