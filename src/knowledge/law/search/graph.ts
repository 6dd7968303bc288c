import { readFileSync } from "node:fs";
import * as z from "zod";
import { getConcept } from "../mentions/concept.ts";
import type { Frame } from "../mentions/frame.ts";
import type { Knowledge } from "../items/knowledge.ts";

const TripleSchema = z.tuple([z.string(), z.string(), z.string(), z.array(z.string()).min(1)]);
const GraphSchema = z.strictObject({
  /** How a relation is put into words; `{s}` and `{o}` are its ends. */
  relations: z.record(z.string(), z.strictObject({ statement: z.string(), statement_en: z.string() })),
  triples: z.array(TripleSchema),
});

/** A typed relation between two concepts, with the items it rests on. */
export type Triple = { id: string; subject: string; relation: string; object: string; sources: string[] };
export type Graph = { triples: Triple[]; relations: z.infer<typeof GraphSchema>["relations"] };

const file = new URL("../../../../data/law/graph.json", import.meta.url);
let shipped: Graph | null = null;

/** The graph that ships with the product; loaded once. */
export function loadGraph(): Graph {
  shipped ??= readGraph(GraphSchema.parse(JSON.parse(readFileSync(file, "utf8"))));
  return shipped;
}

/** A relation of the knowledge graph that lies near the entities of a question; `evidence` is its `kg:` id. */
export type GraphFact = {
  evidence: string;
  subject: string;
  relation: string;
  object: string;
  hops: number;
  sources: string[];
};

/** A relation near a question, and how telling it is. */
export type Relation = { fact: GraphFact; score: number };

const hopWeight = [1, 0.35] as const;

/** The relations within two hops of the question's entities, nearest and most telling first (law spec §2.2). */
export function searchGraph(graph: Graph, knowledge: Knowledge, frame: Frame): Relation[] {
  const near = [...frame.concepts];
  const touching = (ids: ReadonlySet<string>) =>
    graph.triples.filter(({ subject, object }) => ids.has(subject) || ids.has(object));
  const first = touching(frame.concepts);
  const around = new Set([...near, ...first.flatMap(({ subject, object }) => [subject, object])]);
  const hops = new Map<Triple, 1 | 2>([
    ...touching(around).map((one) => [one, 2] as const),
    ...first.map((one) => [one, 1] as const),
  ]);
  return [...hops]
    .filter(([triple]) => fits(triple, knowledge, frame))
    .map(([triple, hop]) => ({ fact: makeFact(triple, hop), score: scoreTriple(triple, hop, graph, frame) }))
    .toSorted((a, b) => b.score - a.score || (a.fact.evidence < b.fact.evidence ? -1 : 1));
}

/** A relation that rests only on another community's norms is not about this question. */
function fits({ sources }: Triple, knowledge: Knowledge, { communities }: Frame): boolean {
  const homes = sources.map((id) => knowledge.find(id)).filter((item) => item !== null);
  if (communities.length === 0)
    return homes.some(({ community, domain }) => community === null || domain === "national");
  return homes.some(
    ({ community, domain }) => community === null || communities.includes(community) || domain === "national",
  );
}

function scoreTriple({ subject, object }: Triple, hop: 1 | 2, graph: Graph, { concepts }: Frame): number {
  const named = [subject, object].filter((id) => concepts.has(id));
  const telling = named.reduce(
    (sum, id) => sum + (getConcept(id).generic ? 0.4 : 1) / Math.log2(2 + countRelations(graph, id)),
    0,
  );
  return hopWeight[hop - 1 === 0 ? 0 : 1] * (hop === 1 ? telling * named.length : 0.3);
}

function countRelations({ triples }: Graph, id: string): number {
  return triples.filter(({ subject, object }) => subject === id || object === id).length;
}

function makeFact({ id, subject, relation, object, sources }: Triple, hops: number): GraphFact {
  return { evidence: id, subject, relation, object, hops, sources };
}

function readGraph({ relations, triples }: z.infer<typeof GraphSchema>): Graph {
  return {
    relations,
    triples: triples.map(([subject, relation, object, sources]) => {
      for (const end of [subject, object]) getConcept(end);
      if (!relations[relation]) throw new Error(`data/law/graph.json: no relation "${relation}"`);
      return { id: `kg:${subject}|${relation}|${object}`, subject, relation, object, sources };
    }),
  };
}
