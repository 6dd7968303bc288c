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
  const [first, ...rest] = points.map(({ x, y }) => [Math.round(x), Math.round(y)] as const);
  if (!first) return "";
  const last = rest.at(-1) ?? first;
  const middle = Math.round((first[0] + last[0]) / 2);
  if (rest.length <= 2) return `M${first} C${middle},${first[1]} ${middle},${last[1]} ${last}`;
  return `M${first} ${rest.map((point) => `L${point}`).join(" ")}`;
}
