import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Frame } from "./frame.ts";
import type { Evidence, Knowledge, Regime } from "./items.ts";
import { type Conclusion, type Rule, type RuleResult, systemOf } from "./rules.ts";
import { nameConcept } from "./words.ts";

const GraphSchema = z.strictObject({
  /** How a relation is put into words; `{s}` and `{o}` are its ends. */
  relations: z.record(z.string(), z.strictObject({ statement: z.string(), statement_en: z.string() })),
  /** Subject, relation, object, and the items it rests on. */
  triples: z.array(z.tuple([z.string(), z.string(), z.string(), z.array(z.string()).min(1)])),
});
type Triple = z.infer<typeof GraphSchema>["triples"][number];
const graph = GraphSchema.parse(
  JSON.parse(readFileSync(new URL("../../../data/law/graph.json", import.meta.url), "utf8")),
);

/** A derived item with how telling it is. */
export type Derived = { item: Evidence; score: number };

const secondHop = 0.1;

/** The relations within two hops of a question's entities, the most telling first, as items that may be cited (law spec §2.2). */
export function searchGraph(knowledge: Knowledge, frame: Frame): Derived[] {
  const touching = (ids: ReadonlySet<string>): Triple[] => graph.triples.filter(([s, , o]) => ids.has(s) || ids.has(o));
  const first = touching(frame.concepts);
  const around = new Set([...frame.concepts, ...first.flatMap(([s, , o]) => [s, o])]);
  const count = (id: string): number => graph.triples.filter(([s, , o]) => s === id || o === id).length;
  return touching(around)
    .map((triple) => ({ item: makeRelation(triple, knowledge), triple }))
    .filter(
      ({ item }) => item.community === null || item.domain === "national" || frame.peoples.includes(item.community),
    )
    .map(({ item, triple: [subject, , object] }) => {
      const named = [subject, object].filter((id) => frame.concepts.has(id));
      const telling = named.reduce((sum, id) => sum + 1 / Math.log2(2 + count(id)), 0);
      return { item, score: named.length === 0 ? secondHop : telling * named.length };
    })
    .toSorted((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1));
}

function makeRelation([subject, relation, object, sources]: Triple, knowledge: Knowledge): Evidence {
  const [first] = sources.flatMap((id) => knowledge.find(id) ?? []);
  const say = (template = "", language: "id" | "en"): string => {
    const text = template.replace("{s}", nameConcept(subject, language)).replace("{o}", nameConcept(object, language));
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
  const words = graph.relations[relation];
  return {
    ...takeOver(sources, knowledge),
    id: `kg:${subject}|${relation}|${object}`,
    kind: "kg",
    domain: first?.domain ?? "national",
    regime: first?.regime ?? "national",
    community: first?.community ?? null,
    title: `Graf pengetahuan: ${nameConcept(subject, "id")} – ${nameConcept(object, "id")}`,
    title_en: `Knowledge graph: ${nameConcept(subject, "en")} – ${nameConcept(object, "en")}`,
    statement: say(words?.statement, "id"),
    statement_en: say(words?.statement_en, "en"),
    source_kind: "knowledge_graph",
  };
}

/** The rules that concluded something in a system of law, each as an item that may be cited (`rule:` ids). */
export function makeRuleItems({ conclusions }: RuleResult, rules: Rule[], knowledge: Knowledge): Evidence[] {
  return rules.flatMap((rule) => {
    const own = conclusions.filter(({ fact, by }) => by.includes(rule.id) && systemOf(fact) !== null);
    return own.length === 0 ? [] : [makeRuleItem(rule, own, knowledge)];
  });
}

const nationalSystems = ["national", "civil_code", "islamic"];

function makeRuleItem(rule: Rule, conclusions: Conclusion[], knowledge: Knowledge): Evidence {
  const system = systemOf(conclusions[0]?.fact ?? "") ?? "national";
  const isNational = nationalSystems.includes(system);
  const titles = (key: "title" | "title_en"): string =>
    rule.sources.flatMap((id) => knowledge.find(id)?.[key] ?? []).join(", ");
  const said = (key: "statement" | "statement_en"): string =>
    [...new Set(conclusions.map((one) => one[key]))].join(" ");
  return {
    ...takeOver(rule.sources, knowledge),
    id: rule.id,
    kind: "rule",
    domain: isNational ? "national" : "adat",
    regime: isNational ? (system as Regime) : "adat",
    community: isNational ? null : system,
    title: `Aturan formal menurut ${titles("title")}`,
    title_en: `Formal rule of ${titles("title_en")}`,
    statement: said("statement"),
    statement_en: said("statement_en"),
    source_kind: "rule_engine",
  };
}

/** What a derived item takes over from the items it rests on: it is no surer than they are. */
function takeOver(sources: string[], knowledge: Knowledge) {
  const items = sources.flatMap((id) => knowledge.find(id) ?? []);
  const [first] = items;
  return {
    aliases: [],
    scope: first?.scope ?? null,
    scope_en: first?.scope_en ?? null,
    topics: [...new Set(items.flatMap(({ topics }) => topics))],
    source: items.map(({ title }) => title).join("; "),
    confidence: items.some(({ confidence }) => confidence === "confirmed")
      ? ("confirmed" as const)
      : ("unconfirmed" as const),
    related: sources,
  };
}
