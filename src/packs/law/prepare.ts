import type { PrepareTools } from "../../engine/pack.ts";
import {
  addItems,
  type Closeness,
  findCitedProvisions,
  listCandidates,
  loadKnowledge,
  openCase,
} from "../../knowledge/law/index.ts";
import type { LawConfig } from "./config.ts";
import type { LawInput, Material, MaterialItem, RouteLabel } from "./schemas/material.ts";
import { word } from "./words/word.ts";

const reader = "law-reader/5";

/** Routes a question and gathers sources for both sides, once per run; an embedding model reorders them (law spec §2). */
export async function prepare(input: LawInput, { retrieval }: LawConfig, { embed }: PrepareTools): Promise<Material> {
  return buildMaterial(
    input,
    retrieval.limit,
    embed ? await measureCloseness(input, retrieval.limit, embed) : undefined,
  );
}

export function buildMaterial(input: LawInput, limit: number, closeness?: Closeness): Material {
  const { evidence, missing, ...opened } = openCase(input, limit, closeness);
  return {
    reader,
    query: input.query,
    ...opened,
    missing: missing ? [word(opened.language, `missing.${missing.kind}`, { what: missing.what })] : [],
    evidence: evidence.map(({ topics: _topics, leading: _leading, ...item }) => item),
  };
}

async function measureCloseness(
  input: LawInput,
  limit: number,
  embed: NonNullable<PrepareTools["embed"]>,
): Promise<Closeness> {
  const candidates = listCandidates(input, limit);
  const [question = [], ...vectors] = await embed.embed([input.query, ...candidates.map(({ statement }) => statement)]);
  return { question, items: new Map(candidates.map(({ id }, at) => [id, vectors[at] ?? []])) };
}

export function route(query: string, hint?: RouteLabel): Material["route"] {
  return openCase({ query, ...(hint ? { domain_hint: hint } : {}) }, 1).route;
}

/** The items that a citation names, in any form: "Pasal 35 UU Perkawinan", an id, an alias. */
export function findNamedItems(citation: string, corpus: LawInput["corpus"] = []): MaterialItem[] {
  const knowledge = addItems(loadKnowledge(), corpus);
  const ids = findCitedProvisions(citation, knowledge).flatMap(({ id, known }) => (known && id !== null ? id : []));
  const items = new Set([citation, ...ids].flatMap((name) => knowledge.find(name) ?? []));
  return [...items].map(({ topics: _topics, leading: _leading, ...item }) => ({
    ...item,
    mandatory: false,
    score: 0,
    match: 1,
    answers: true,
    holder: "both",
    imported: corpus.some(({ id }) => id === item.id),
  }));
}

export { addItems, loadKnowledge, parseCorpus } from "../../knowledge/law/index.ts";
