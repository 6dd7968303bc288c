import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Frame } from "./frame.ts";
import type { Evidence, Knowledge } from "./items.ts";

/**
 * A rule of adat, or a relation between two things: where a question names everything in `when` and nothing in `unless`
 * (concepts or acts), the statement follows from its sources.
 */
const FormalSchema = z.strictObject({
  id: z.string().regex(/^(?:rule:[a-z]+:[a-z-]+|kg:\S+)$/),
  when: z.array(z.string()).min(1),
  unless: z.array(z.string()).default([]),
  statement: z.string(),
  statement_en: z.string(),
  sources: z.array(z.string()).min(1),
});

const [rules, relations] = (["rules", "graph"] as const).map((name) =>
  z
    .array(FormalSchema)
    .parse(JSON.parse(readFileSync(new URL(`../../../data/law/${name}.json`, import.meta.url), "utf8"))),
) as [Formal[], Formal[]];
type Formal = z.infer<typeof FormalSchema>;

export function applyRules(frame: Frame, knowledge: Knowledge): Evidence[] {
  return derive("rule", "Aturan formal menurut", "Formal rule of", rules, frame, knowledge);
}

export function findRelations(frame: Frame, knowledge: Knowledge): Evidence[] {
  return derive("kg", "Graf pengetahuan menurut", "Knowledge graph of", relations, frame, knowledge);
}

function derive(
  kind: "rule" | "kg",
  name: string,
  name_en: string,
  rows: Formal[],
  { concepts, acts }: Frame,
  knowledge: Knowledge,
): Evidence[] {
  const isNamed = (one: string): boolean => concepts.has(one) || acts.has(one);
  return rows
    .filter(({ when, unless }) => when.every(isNamed) && !unless.some(isNamed))
    .map(({ id, statement, statement_en, sources }) => {
      const items = sources.flatMap((source) => knowledge.find(source) ?? []);
      const [first] = items;
      if (!first) throw new Error(`data/law: none of ${sources.join(", ")} exists`);
      return {
        ...first,
        id,
        kind,
        title: `${name} ${items.map(({ title }) => title).join(", ")}`,
        title_en: `${name_en} ${items.map(({ title_en }) => title_en).join(", ")}`,
        statement,
        statement_en,
        aliases: [],
        mandatory: false,
        topics: [...new Set(items.flatMap(({ topics }) => topics))],
        source: items.some(({ source }) => source !== null) ? items.map(({ title }) => title).join("; ") : null,
        confidence: items.find(({ confidence }) => confidence === "confirmed")?.confidence ?? "unconfirmed",
        related: sources,
      };
    });
}
