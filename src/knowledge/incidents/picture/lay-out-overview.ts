import { incidentKeyOf, type KnowledgeGraph } from "../graph/build-graph.ts";
import { categories, type Category, type Incident } from "../schemas/incident.ts";
import { type Arrow, type Box, breakText, type Picture } from "./draw-svg.ts";

const fills: Record<Category, string> = {
  hardware: "#ffd9d6",
  software: "#dbe7ff",
  network: "#d6f0dc",
  config: "#e9e4f5",
  resource: "#fff1cc",
  none: "#eceff1",
};
const [boxWidth, boxHeight] = [150, 40];
const rounds = 300;

type Point = { x: number; y: number };

/** All incidents as a map: alike ones near each other, each kind of cause around its own centre. */
export function layOutOverview(graph: KnowledgeGraph, incidents: readonly Incident[]): Picture {
  const links = graph
    .filterEdges((_, { type }) => type === "SIMILAR_TO")
    .map((edge) => ({
      from: graph.source(edge),
      to: graph.target(edge),
      similarity: graph.getEdgeAttribute(edge, "similarity") ?? 0,
    }));
  const places = layOut(incidents, links);
  const boxes = incidents.map(({ id, title, category }): Box => {
    const { x, y } = places.get(incidentKeyOf(id)) ?? { x: 0, y: 0 };
    return {
      key: incidentKeyOf(id),
      x,
      y,
      width: boxWidth,
      height: boxHeight,
      lines: breakText(id.replaceAll("-", " "), 20, 2),
      fill: fills[category],
      title: `${id}: ${title} (${category})`,
    };
  });
  const arrows = links.map(
    ({ from, to, similarity }): Arrow => ({ from, to, label: similarity.toFixed(2), color: "#8a93a5" }),
  );
  const used = categories.filter((category) => incidents.some((incident) => incident.category === category));
  return {
    boxes,
    arrows,
    heading: `${incidents.length} past incidents; lines join similar ones`,
    legend: used.map((label) => ({ label, color: fills[label] })),
  };
}

/** A force layout with a fixed start: boxes push each other away, links and the centre of their kind pull. */
function layOut(
  incidents: readonly Incident[],
  links: { from: string; to: string; similarity: number }[],
): Map<string, Point> {
  const centres = new Map(
    categories.map((category, index) => [category, placeOnCircle(index, categories.length, 620)]),
  );
  const points = new Map(
    incidents.map(({ id, category }, index) => {
      const centre = centres.get(category) ?? { x: 0, y: 0 };
      const start = placeOnCircle(index, incidents.length, 200);
      return [incidentKeyOf(id), { x: centre.x + start.x, y: centre.y + start.y }];
    }),
  );
  const kinds = new Map(incidents.map(({ id, category }) => [incidentKeyOf(id), category]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [key, point] of points) pull(point, centres.get(kinds.get(key) ?? "none"), 0.02);
    for (const { from, to, similarity } of links)
      pullTogether(points.get(from), points.get(to), 0.03 + 0.1 * similarity);
    pushApart([...points.values()]);
  }
  return points;
}

function placeOnCircle(index: number, of: number, radius: number): Point {
  const angle = (2 * Math.PI * index) / Math.max(1, of);
  return { x: 1.5 * radius * Math.cos(angle), y: 0.8 * radius * Math.sin(angle) };
}

function pull(point: Point, centre: Point | undefined, share: number): void {
  if (!centre) return;
  point.x += (centre.x - point.x) * share;
  point.y += (centre.y - point.y) * share;
}

function pullTogether(a: Point | undefined, b: Point | undefined, share: number): void {
  if (!a || !b) return;
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  pull(a, middle, share);
  pull(b, middle, share);
}

/** Boxes that overlap, with a little air, move apart along the axis of the smaller overlap. */
function pushApart(points: Point[]): void {
  for (const [index, a] of points.entries())
    for (const b of points.slice(index + 1)) {
      const overlapX = boxWidth + 22 - Math.abs(a.x - b.x);
      const overlapY = boxHeight + 26 - Math.abs(a.y - b.y);
      if (overlapX <= 0 || overlapY <= 0) continue;
      if (overlapX < overlapY * 2) moveApart(a, b, "x", overlapX);
      else moveApart(a, b, "y", overlapY);
    }
}

function moveApart(a: Point, b: Point, axis: "x" | "y", overlap: number): void {
  const sign = a[axis] >= b[axis] ? 1 : -1;
  a[axis] += (sign * overlap) / 2;
  b[axis] -= (sign * overlap) / 2;
}
