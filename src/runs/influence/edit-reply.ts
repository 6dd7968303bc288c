import type { Change } from "./change.ts";

type Edit = Extract<Change, { kind: "part" | "score" }>;

/** A reply with some parts left out and some scores changed; the reply itself stays as it is. */
export function editReply(reply: unknown, edits: readonly Edit[]): unknown {
  const copy: unknown = structuredClone(reply);
  for (const edit of edits.filter(({ kind }) => kind === "score"))
    setAt(copy, edit as Extract<Edit, { kind: "score" }>);
  const cuts = edits.filter(({ kind }) => kind === "part").toSorted((a, b) => comparePlaces(b.path, a.path));
  for (const { path } of cuts) cutAt(copy, path);
  return copy;
}

function setAt(root: unknown, { path, to }: Extract<Edit, { kind: "score" }>): void {
  const holder = findHolder(root, path);
  if (holder) holder[String(path.at(-1))] = to;
}

function cutAt(root: unknown, path: Edit["path"]): void {
  const list = findHolder(root, path);
  if (Array.isArray(list)) list.splice(Number(path.at(-1)), 1);
}

function findHolder(root: unknown, path: Edit["path"]): Record<string, unknown> | null {
  let node = root as Record<string | number, unknown> | null | undefined;
  for (const part of path.slice(0, -1)) node = node?.[part] as typeof node;
  return node !== null && typeof node === "object" ? node : null;
}

/** Later places first, so that leaving one out moves none that is still to be left out. */
function comparePlaces(a: Edit["path"], b: Edit["path"]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const [one, other] = [a[at], b[at]];
    if (one === other) continue;
    return typeof one === "number" && typeof other === "number" ? one - other : String(one) < String(other) ? -1 : 1;
  }
  return a.length - b.length;
}
