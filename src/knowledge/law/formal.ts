import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Frame } from "./frame.ts";
import type { Evidence, Knowledge } from "./items.ts";
import { nameConcept } from "./words.ts";

const sources = z.array(z.string()).min(1);

/** A rule of adat: if a question names everything in `when` and nothing in `unless` (concepts or acts), the statement follows. */
const RuleSchema = z.strictObject({
  id: z.string().regex(/^rule:[a-z]+:[a-z-]+$/),
  when: z.array(z.string()).min(1),
  unless: z.array(z.string()).default([]),
  statement: z.string(),
  statement_en: z.string(),
  sources,
});

const GraphSchema = z.strictObject({
  relations: z.record(z.string(), z.strictObject({ statement: z.string(), statement_en: z.string() })),
  triples: z.array(z.tuple([z.string(), z.string(), z.string(), sources])),
});

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../data/law/${name}.json`, import.meta.url), "utf8"));
const rules = z.array(RuleSchema).parse(read("rules"));
const graph = GraphSchema.parse(read("graph"));

export function applyRules({ concepts, acts }: Frame, knowledge: Knowledge): Evidence[] {
  const isNamed = (name: string): boolean => concepts.has(name) || acts.has(name);
  return rules
    .filter(({ when, unless }) => when.every(isNamed) && !unless.some(isNamed))
    .map(({ id, statement, statement_en, sources: from }) => {
      const titles = (key: "title" | "title_en"): string =>
        from.flatMap((source) => knowledge.find(source)?.[key] ?? []).join(", ");
      return {
        ...deriveFrom(from, knowledge),
        id,
        kind: "rule" as const,
        title: `Aturan formal menurut ${titles("title")}`,
        title_en: `Formal rule of ${titles("title_en")}`,
        statement,
        statement_en,
      };
    });
}

export function findTriples({ concepts }: Frame, knowledge: Knowledge): Evidence[] {
  return graph.triples
    .filter(([subject, , object]) => concepts.has(subject) && concepts.has(object))
    .map(([subject, relation, object, from]) => {
      const say = (template = "", language: "id" | "en"): string => {
        const [s, o] = [nameConcept(subject, language), nameConcept(object, language)];
        const text = template.replace("{s}", s).replace("{o}", o);
        return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
      };
      const words = graph.relations[relation];
      return {
        ...deriveFrom(from, knowledge),
        id: `kg:${subject}|${relation}|${object}`,
        kind: "kg" as const,
        title: `Graf pengetahuan: ${nameConcept(subject, "id")} – ${nameConcept(object, "id")}`,
        title_en: `Knowledge graph: ${nameConcept(subject, "en")} – ${nameConcept(object, "en")}`,
        statement: say(words?.statement, "id"),
        statement_en: say(words?.statement_en, "en"),
      };
    });
}

function deriveFrom(ids: string[], knowledge: Knowledge) {
  const items = ids.flatMap((id) => knowledge.find(id) ?? []);
  const [first] = items;
  if (!first) throw new Error(`data/law: none of ${ids.join(", ")} exists`);
  const { domain, regime, community, scope, scope_en } = first;
  return {
    domain,
    regime,
    community,
    scope,
    scope_en,
    aliases: [],
    mandatory: false,
    topics: [...new Set(items.flatMap(({ topics }) => topics))],
    source: items.some(({ source }) => source !== null) ? items.map(({ title }) => title).join("; ") : null,
    confidence: items.some(({ confidence }) => confidence === "confirmed")
      ? ("confirmed" as const)
      : ("unconfirmed" as const),
    related: ids,
  };
}
