import { causeKeyOf, type GraphNode, incidentKeyOf, type KnowledgeGraph, type NodeType } from "../graph/build-graph.ts";
import { type Arrow, type Box, breakText, type Picture } from "./draw-svg.ts";

const fills: Record<NodeType, string> = {
  Incident: "#dbe7ff",
  RootCause: "#ffd9d6",
  Event: "#fff1cc",
  Error: "#ffcfa8",
  Entity: "#d6f0dc",
  Template: "#e9e4f5",
};
const shownTypes: NodeType[] = ["RootCause", "Entity", "Event", "Incident", "Error"];
const columnWidth = 260;
const boxWidth = 200;
const gap = 14;

/** An incident and everything around it: its cause, its chain from left to right, its errors, entities and templates. */
export function layOutIncident(graph: KnowledgeGraph, id: string): Picture {
  const keys = findNeighbourhood(graph, id);
  const columns = arrangeColumns(graph, id, keys);
  const boxes = columns.flatMap((column, index) => stack(graph, column, index * columnWidth));
  const drawn = graph.filterEdges((edge, { incident }) => incident === id && isDrawn(graph, edge));
  const arrows = drawn.map((edge) => makeArrow(graph, edge));
  const heading = `${id}: ${graph.getNodeAttribute(incidentKeyOf(id), "label")}`;
  return {
    boxes,
    arrows: dropRepeats(arrows),
    heading,
    legend: shownTypes.map((label) => ({ label, color: fills[label] })),
  };
}

/** The nodes that this incident's own edges touch. */
function findNeighbourhood(graph: KnowledgeGraph, id: string): Set<string> {
  const keys = new Set([incidentKeyOf(id)]);
  graph.forEachEdge((_, { incident }, from, to) => {
    if (incident === id) for (const key of [from, to]) keys.add(key);
  });
  return keys;
}

/** Cause and entities, what was logged, the incident, then the chain with its errors by depth. */
function arrangeColumns(graph: KnowledgeGraph, id: string, keys: Set<string>): string[][] {
  const typed = (...types: NodeType[]) =>
    [...keys].filter((key) => types.includes(graph.getNodeAttribute(key, "type")));
  const isOwnEvent = (key: string) => key.startsWith(`${incidentKeyOf(id)}:event:`);
  const depths = measureDepths(graph, id, keys);
  const chain = typed("Event", "Error").filter((key) => !isOwnEvent(key));
  const deepest = Math.max(0, ...chain.map((key) => depths.get(key) ?? 0));
  const levels = Array.from({ length: deepest + 1 }, (_, depth) =>
    chain.filter((key) => (depths.get(key) ?? 0) === depth),
  );
  const left = [[causeKeyOf(id), ...typed("Entity")], typed("Event").filter(isOwnEvent), [incidentKeyOf(id)]];
  return [...left, ...levels].filter((column) => column.length > 0);
}

function measureDepths(graph: KnowledgeGraph, id: string, keys: Set<string>): Map<string, number> {
  const depths = new Map<string, number>();
  for (let pass = 0; pass < 6; pass += 1)
    graph.forEachEdge((_, { type, incident }, from, to) => {
      if (type !== "CAUSES" || incident !== id || !keys.has(from) || !keys.has(to)) return;
      depths.set(to, Math.max(depths.get(to) ?? 0, Math.min(6, (depths.get(from) ?? 0) + 1)));
    });
  return depths;
}

function stack(graph: KnowledgeGraph, keys: string[], x: number): Box[] {
  const boxes = keys.map((key) => makeBox(key, graph.getNodeAttributes(key), x));
  const total = boxes.reduce((sum, { height }) => sum + height + gap, -gap);
  let top = -total / 2;
  return boxes.map((box) => {
    const y = top + box.height / 2;
    top += box.height + gap;
    return { ...box, y };
  });
}

function makeBox(key: string, { type, label, category, entityType }: GraphNode, x: number): Box {
  const kind =
    type === "RootCause"
      ? `root cause (${category ?? ""})`
      : type === "Entity"
        ? (entityType ?? "entity")
        : type.toLowerCase();
  const lines = [kind, ...breakText(label, 30, 4)];
  return {
    key,
    x,
    y: 0,
    width: boxWidth,
    height: lines.length * 15 + 12,
    lines,
    fill: fills[type],
    title: `${kind}: ${label}`,
  };
}

/** PRECEDES runs beside CAUSES, templates repeat their events, and what something else caused needs no line to the incident. */
function isDrawn(graph: KnowledgeGraph, edge: string): boolean {
  const { type } = graph.getEdgeAttributes(edge);
  if (type === "PRECEDES" || type === "MATCHES") return false;
  if (type !== "CONTAINS" && type !== "REPORTS") return true;
  return !graph.someInEdge(graph.target(edge), (_, attributes) => attributes.type === "CAUSES");
}

function makeArrow(graph: KnowledgeGraph, edge: string): Arrow {
  const { type, confidence, delay_seconds } = graph.getEdgeAttributes(edge);
  const [from, to] = [graph.source(edge), graph.target(edge)];
  const causes = type === "CAUSES";
  const label = causes
    ? `${confidence ?? ""}${delay_seconds ? `, ${delay_seconds} s` : ""}`
    : type === "HAS_ROOT_CAUSE"
      ? `${confidence ?? ""}`
      : type === "CALLS"
        ? "calls"
        : "";
  return {
    from,
    to,
    label,
    color: causes ? "#c0392b" : "#9aa3b2",
    strong: causes,
    dashed: !causes,
  };
}

function dropRepeats(arrows: Arrow[]): Arrow[] {
  const seen = new Set<string>();
  return arrows.filter(
    ({ from, to, strong }) => !seen.has(`${from} ${to} ${strong}`) && seen.add(`${from} ${to} ${strong}`),
  );
}
