/** Deeper than any hand-written value, and shallow enough for recursion. */
const maxDepth = 200;

type Open = { value: object; path: PropertyKey[]; within: Within | null };
type Within = { value: object; outer: Within | null };

/** What keeps a value from outside from being plain data: a loop, a key that would reach a prototype, endless nesting. */
export function findUnplain(value: unknown): { path: PropertyKey[]; message: string } | null {
  const open: Open[] = isContainer(value) ? [{ value, path: [], within: null }] : [];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { path } = one;
    if (path.length > maxDepth) return { path: path.slice(0, 5), message: `nested deeper than ${maxDepth} levels` };
    if (isWithin(one.value, one.within)) return { path, message: "contains itself" };
    const within = { value: one.value, outer: one.within };
    for (const [key, inner] of entriesOf(one.value)) {
      if (key === "__proto__") return { path: [...path, key], message: '"__proto__" is not a key' };
      if (isContainer(inner)) open.push({ value: inner, path: [...path, key], within });
    }
  }
  return null;
}

function isWithin(value: object, within: Within | null): boolean {
  for (let outer = within; outer !== null; outer = outer.outer) if (outer.value === value) return true;
  return false;
}

function entriesOf(value: object): Iterable<[PropertyKey, unknown]> {
  return Array.isArray(value) ? value.entries() : Object.entries(value);
}

function isContainer(value: unknown): value is object {
  return value !== null && typeof value === "object";
}
