import { dirname } from "node:path";
import { type Import, isTest } from "./import-rules.ts";

/** Folders that import each other in a circle, and the shortest way around it that was found. */
export type FolderCycle = { folders: string[]; way: Import[] };

type Graph = Map<string, Map<string, Import>>;

/** Every knot of folders, each with one cycle; a folder and its parent are two folders, and tests do not count. */
export function findFolderCycles(imports: readonly Import[]): FolderCycle[] {
  const graph = folderGraph(imports);
  const reach = new Map([...graph.keys()].map((folder) => [folder, reachable(graph, folder)]));
  const knotted = [...graph.keys()].filter((folder) => reach.get(folder)?.has(folder)).toSorted();
  const knots = Map.groupBy(knotted, (folder) =>
    knotted.find((other) => reach.get(folder)?.has(other) && reach.get(other)?.has(folder)),
  );
  return [...knots.values()].map((folders) => ({ folders, way: shortestWay(graph, folders) }));
}

/** A cycle in words: `a → b (a/x.ts → b/y.ts)`, one import a line. */
export function cycleText({ folders, way }: FolderCycle): string {
  const lines = way.map(({ from, to }) => `  ${dirname(from)} → ${dirname(to)}  (${from} → ${to})`);
  return [`${folders.length} folders import each other: ${folders.join(", ")}`, ...lines].join("\n");
}

/** One import stands for all between the same two folders. */
function folderGraph(imports: readonly Import[]): Graph {
  const graph: Graph = new Map();
  for (const one of imports) {
    const [from, to] = [dirname(one.from), dirname(one.to)];
    if (from === to || isTest(one.from) || isTest(one.to)) continue;
    const targets = graph.get(from) ?? new Map<string, Import>();
    if (!targets.has(to)) targets.set(to, one);
    graph.set(from, targets);
  }
  return graph;
}

function reachable(graph: Graph, start: string): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const next of graph.get(folder)?.keys() ?? [])
      if (!found.has(next)) {
        found.add(next);
        open.push(next);
      }
  return found;
}

/** The shortest way from one of the folders back to itself; of equally short ones, the first by name. */
function shortestWay(graph: Graph, folders: readonly string[]): Import[] {
  const ways = folders.map((folder) => wayAround(graph, folder));
  return ways.reduce((best, way) => (way.length < best.length ? way : best));
}

function wayAround(graph: Graph, start: string): Import[] {
  const ways = new Map<string, Import[]>([[start, []]]);
  for (const [folder, way] of ways)
    for (const [next, one] of graph.get(folder) ?? []) {
      if (next === start) return [...way, one];
      if (!ways.has(next)) ways.set(next, [...way, one]);
    }
  throw new Error(`${start} is on no cycle`);
}
