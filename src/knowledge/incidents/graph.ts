import { MultiDirectedGraph } from "graphology";
import { shortenErrorType, extractWords } from "./words.ts";
import type { Category, Incident } from "../../contract/incident.ts";

export type NodeType = "Incident" | "Event" | "Entity" | "Error" | "Template" | "RootCause";
export type EdgeType =
  | "CONTAINS"
  | "INVOLVES"
  | "REPORTS"
  | "CALLS"
  | "CAUSES"
  | "PRECEDES"
  | "SIMILAR_TO"
  | "HAS_ROOT_CAUSE"
  | "MATCHES";

export type GraphNode = {
  type: NodeType;
  label: string;
  category?: Category;
  confidence?: number;
  entityType?: string;
};
export type GraphEdge = {
  type: EdgeType;
  incident?: string;
  confidence?: number;
  delay_seconds?: number;
  sequence?: number;
  similarity?: number;
  method?: string;
};
export type KnowledgeGraph = MultiDirectedGraph<GraphNode, GraphEdge>;

/** The graph of these incidents with the node and edge types of root-cause spec §3.1. */
export function buildGraph(incidents: readonly Incident[]): KnowledgeGraph {
  const graph = buildCausalGraph(incidents);
  addSimilarities(graph, incidents);
  return graph;
}

/** The same graph without SIMILAR_TO: what causal paths need. */
export function buildCausalGraph(incidents: readonly Incident[]): KnowledgeGraph {
  const graph: KnowledgeGraph = new MultiDirectedGraph();
  for (const incident of incidents) addIncident(graph, incident);
  return graph;
}

export const incidentKeyOf = (id: string) => `incident:${id}`;
export const causeKeyOf = (id: string) => `cause:${id}`;
/** An error of an incident: the same type with other words is another error. */
export const errorKeyOf = (type: string, message: string) =>
  `error:${shortenErrorType(type)}:${extractWords(message).join(" ")}`;
const eventKeyOf = (text: string) => `event:${text.toLowerCase()}`;
const entityKeyOf = (name: string) => `entity:${name.toLowerCase()}`;
const templateKeyOf = (text: string) => `template:${extractWords(text).join(" ")}`;

function addIncident(graph: KnowledgeGraph, incident: Incident): void {
  const { id, category, confidence } = incident;
  const key = incidentKeyOf(id);
  graph.mergeNode(key, { type: "Incident", label: incident.title, category });
  graph.mergeNode(causeKeyOf(id), { type: "RootCause", label: incident.cause, category, confidence });
  graph.addEdge(key, causeKeyOf(id), { type: "HAS_ROOT_CAUSE", incident: id, confidence });
  for (const { type, name } of incident.entities) {
    graph.mergeNode(entityKeyOf(name), { type: "Entity", label: name, entityType: type });
    graph.addEdge(key, entityKeyOf(name), { type: "INVOLVES", incident: id });
  }
  for (const error of incident.errors) {
    graph.mergeNode(errorKeyOf(error.type, error.message), {
      type: "Error",
      label: `${error.type}: ${error.message}`,
    });
    graph.addEdge(key, errorKeyOf(error.type, error.message), { type: "REPORTS", incident: id });
  }
  addCalls(graph, incident);
  addTemplates(graph, incident);
  addChain(graph, incident);
}

/** Entities that are only called stand beside the incident, not among what it involves: they make no two incidents alike. */
function addCalls(graph: KnowledgeGraph, { id, calls = [] }: Incident): void {
  for (const { caller, callee } of calls) {
    for (const name of [caller, callee])
      if (!graph.hasNode(entityKeyOf(name)))
        graph.addNode(entityKeyOf(name), { type: "Entity", label: name, entityType: "service" });
    graph.addEdge(entityKeyOf(caller), entityKeyOf(callee), { type: "CALLS", incident: id });
  }
}

function addTemplates(graph: KnowledgeGraph, { id, templates }: Incident): void {
  templates.forEach((text, sequence) => {
    const event = `${incidentKeyOf(id)}:event:${sequence}`;
    graph.mergeNode(event, { type: "Event", label: text });
    graph.mergeNode(templateKeyOf(text), { type: "Template", label: text });
    graph.addEdge(incidentKeyOf(id), event, { type: "CONTAINS", incident: id, sequence });
    graph.addEdge(event, templateKeyOf(text), { type: "MATCHES", incident: id });
  });
}

function addChain(graph: KnowledgeGraph, incident: Incident): void {
  for (const { cause, effect, confidence, delay_seconds } of incident.chain) {
    for (const from of findChainNodes(graph, incident, cause)) {
      for (const to of findChainNodes(graph, incident, effect)) {
        graph.addEdge(from, to, { type: "CAUSES", incident: incident.id, confidence, delay_seconds });
        graph.addEdge(from, to, { type: "PRECEDES", incident: incident.id, delay_seconds });
      }
    }
  }
}

/** The nodes that a link of a chain names: the incident's errors of that type or message, or an event of its own. */
function findChainNodes(graph: KnowledgeGraph, incident: Incident, text: string): string[] {
  const errors = incident.errors.filter(({ type, message }) => type === text || message === text);
  if (errors.length > 0) return errors.map(({ type, message }) => errorKeyOf(type, message));
  if (!graph.hasNode(eventKeyOf(text))) graph.addNode(eventKeyOf(text), { type: "Event", label: text });
  const contained = graph.edges(incidentKeyOf(incident.id), eventKeyOf(text)).length > 0;
  if (!contained)
    graph.addEdge(incidentKeyOf(incident.id), eventKeyOf(text), { type: "CONTAINS", incident: incident.id });
  return [eventKeyOf(text)];
}

const leastSimilarity = 0.15;
const mostHolders = 100;

/** SIMILAR_TO between incidents that share errors, entities or templates: IDF-weighted share of what both know. */
function addSimilarities(graph: KnowledgeGraph, incidents: readonly Incident[]): void {
  const featured = ["Entity", "Error", "Template"];
  const features = new Map(incidents.map(({ id }) => [id, new Set(listReachable(graph, id, featured))]));
  const holders = new Map<string, string[]>();
  for (const [id, set] of features)
    for (const feature of set) holders.set(feature, [...(holders.get(feature) ?? []), id]);
  const weight = (feature: string) => Math.log(1 + incidents.length / (holders.get(feature)?.length ?? 1));
  const shared = new Map<string, number>();
  for (const [feature, ids] of keepTelling(holders))
    for (const [index, a] of ids.entries())
      for (const b of ids.slice(index + 1)) shared.set(`${a}\n${b}`, (shared.get(`${a}\n${b}`) ?? 0) + weight(feature));
  for (const [pair, both] of shared) {
    const [a = "", b = ""] = pair.split("\n");
    const all = [...(features.get(a) ?? []), ...(features.get(b) ?? [])].reduce(
      (sum, feature) => sum + weight(feature),
      0,
    );
    const similarity = Math.round(((2 * both) / all) * 1000) / 1000;
    if (similarity >= leastSimilarity)
      graph.addEdge(incidentKeyOf(a), incidentKeyOf(b), { type: "SIMILAR_TO", similarity, method: "shared_idf" });
  }
}

/** What very many incidents have in common says nothing about any two of them, and would pair all of them. */
function keepTelling(holders: Map<string, string[]>): [string, string[]][] {
  return [...holders].filter(([, ids]) => ids.length <= mostHolders);
}

function listReachable(graph: KnowledgeGraph, id: string, types: string[]): string[] {
  const near = graph.outNeighbors(incidentKeyOf(id));
  const next = near
    .filter((key) => key.startsWith(`${incidentKeyOf(id)}:event:`))
    .flatMap((key) => graph.outNeighbors(key));
  return [...near, ...next].filter((key) => types.includes(graph.getNodeAttribute(key, "type")));
}
