import { Graph, layout } from "@dagrejs/dagre";
import type { Arguments } from "./list-arguments.ts";

export const nodeSize = { width: 216, height: 92 };
export type Place = { id: string; x: number; y: number };
export type Drawn = { width: number; height: number; places: Place[]; lines: { id: string; path: string }[] };

/** Puts each argument in its place: what answers stands to the right of what it answers. */
export function layOut({ nodes, edges }: Arguments): Drawn {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 56, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { point } of nodes) graph.setNode(point.id, { ...nodeSize });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    places: nodes.map(({ point }) => {
      const { x, y } = graph.node(point.id) as { x: number; y: number };
      return { id: point.id, x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 };
    }),
    lines: edges.map(({ from, to }) => {
      const { points } = graph.edge(from, to) as { points: { x: number; y: number }[] };
      return { id: `${from}\n${to}`, path: drawPath(points) };
    }),
  };
}

function drawPath(points: { x: number; y: number }[]): string {
  const [first, ...rest] = points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  if (!first) return "";
  const last = rest.at(-1) ?? first;
  const middle = Math.round((first.x + last.x) / 2);
  const start = `M${first.x},${first.y}`;
  if (rest.length <= 2) return `${start} C${middle},${first.y} ${middle},${last.y} ${last.x},${last.y}`;
  return `${start} ${rest.map(({ x, y }) => `L${x},${y}`).join(" ")}`;
}
