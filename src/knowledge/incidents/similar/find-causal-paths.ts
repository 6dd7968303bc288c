import * as z from "zod";
import { errorKeyOf, type KnowledgeGraph } from "../graph/build-graph.ts";
import type { Matcher } from "../compare/create-matcher.ts";
import type { Query } from "../compare/build-query.ts";

/** A chain of causes that ends in an observed error (root-cause spec §3.2). */
export const CausalPathSchema = z.strictObject({
  steps: z.array(z.string()).min(2),
  hops: z.int().min(1).max(5).default(1),
  confidence: z.number().min(0).max(1).default(0.5),
  delay_seconds: z.number().nonnegative().default(0),
  incident_ids: z.array(z.string()).default([]),
  error_type: z.string().default(""),
  line: z.int().positive().default(1),
});
export type CausalPath = z.infer<typeof CausalPathSchema>;

const mostHops = 5;
type Walk = { nodes: string[]; confidence: number; delay: number; incidents: string[] };

/** CAUSES chains of one to five hops that end in an observed error, the most confident first. */
export function findCausalPaths(graph: KnowledgeGraph, query: Query, matcher: Matcher): CausalPath[] {
  const ends = new Map<string, { error_type: string; line: number }>();
  for (const observed of query.errors)
    for (const { type, message } of [...matcher.findByError(observed).values()].flat()) {
      const key = errorKeyOf(type, message);
      if (!ends.has(key)) ends.set(key, { error_type: observed.observed, line: observed.line });
    }
  const paths = [...ends].flatMap(([key, end]) => walkBackFrom(graph, key).map((walk) => describe(graph, walk, end)));
  return paths.sort((a, b) => b.confidence - a.confidence || a.hops - b.hops || compare(a.steps, b.steps));
}

/** All chains into a node that cannot be lengthened (or have five hops), without cycles. */
function walkBackFrom(graph: KnowledgeGraph, end: string): Walk[] {
  const finished: Walk[] = [];
  const extend = (walk: Walk): void => {
    const head = walk.nodes[0] ?? end;
    const edges =
      walk.nodes.length > mostHops ? [] : listCauses(graph, head).filter(({ from }) => !walk.nodes.includes(from));
    if (edges.length === 0 && walk.nodes.length > 1) finished.push(walk);
    for (const { from, confidence, delay, incident } of edges)
      extend({
        nodes: [from, ...walk.nodes],
        confidence: walk.confidence * confidence,
        delay: walk.delay + delay,
        incidents: walk.incidents.includes(incident) ? walk.incidents : [incident, ...walk.incidents],
      });
  };
  extend({ nodes: [end], confidence: 1, delay: 0, incidents: [] });
  return finished;
}

type Cause = { from: string; confidence: number; delay: number; incident: string };

/** The causes of a node, each once with its surest link, however many incidents tell of it. */
function listCauses(graph: KnowledgeGraph, key: string): Cause[] {
  const causes = new Map<string, Cause>();
  graph.forEachInEdge(key, (_edge, { type, confidence = 0, delay_seconds = 0, incident = "" }, from) => {
    if (type !== "CAUSES" || confidence <= (causes.get(from)?.confidence ?? -1)) return;
    causes.set(from, { from, confidence, delay: delay_seconds, incident });
  });
  return [...causes.values()];
}

function describe(graph: KnowledgeGraph, walk: Walk, end: { error_type: string; line: number }): CausalPath {
  return {
    steps: walk.nodes.map((key) => graph.getNodeAttribute(key, "label")),
    hops: walk.nodes.length - 1,
    confidence: Math.round(walk.confidence * 1000) / 1000,
    delay_seconds: walk.delay,
    incident_ids: walk.incidents,
    ...end,
  };
}

function compare(a: string[], b: string[]): number {
  return a.join("\n") < b.join("\n") ? -1 : 1;
}
