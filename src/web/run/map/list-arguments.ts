import type { Placed, StoryIndex } from "../debate/story-index.ts";

/** What was argued, and what answers what; a point that only repeats an earlier one is that one. */
export type Arguments = { nodes: Placed[]; edges: { from: string; to: string }[]; leftOut: number };

/** More than this nobody can read as a picture. */
const mostNodes = 120;

/** The arguments of a debate as a graph: every point that answers another or is answered. */
export function listArguments({ points }: StoryIndex): Arguments {
  const resolve = (id: string): string => {
    const seen = new Set<string>();
    let at = id;
    for (let next = points.get(at)?.point.repeats; next && !seen.has(next); next = points.get(at)?.point.repeats) {
      seen.add(at);
      at = next;
    }
    return at;
  };
  const edges = new Map<string, { from: string; to: string }>();
  for (const { point } of points.values())
    for (const answered of point.answers ?? []) {
      const [from, to] = [resolve(answered), resolve(point.id)];
      if (from !== to && points.has(from) && points.has(to)) edges.set(`${from}\n${to}`, { from, to });
    }
  const linked = new Set([...edges.values()].flatMap(({ from, to }) => [from, to]));
  const nodes = [...points.values()].filter(({ point }) => linked.has(point.id));
  const shown = nodes.slice(0, mostNodes);
  const ids = new Set(shown.map(({ point }) => point.id));
  const drawn = [...edges.values()].filter(({ from, to }) => ids.has(from) && ids.has(to));
  return { nodes: shown, edges: drawn, leftOut: nodes.length - shown.length };
}
