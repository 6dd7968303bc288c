import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Frame } from "./frame.ts";
import type { Evidence, Knowledge } from "./items.ts";

/** A rule of adat or a relation: it follows where a question names everything in `when` and nothing in `unless`. */
const FormalSchema = z.strictObject({
  id: z.string().regex(/^(?:rule:[a-z]+:[a-z-]+|kg:\S+)$/),
  when: z.array(z.string()).min(1),
  unless: z.array(z.string()).default([]),
  statement: z.string(),
  statement_en: z.string(),
  sources: z.array(z.string()).min(1),
});

const FileSchema = z.strictObject({ title: z.string(), title_en: z.string(), rows: z.array(FormalSchema) });
const read = (name: string): z.infer<typeof FileSchema> =>
  FileSchema.parse(JSON.parse(readFileSync(new URL(`../../../data/law/${name}.json`, import.meta.url), "utf8")));
const files = { rule: read("rules"), kg: read("graph") };

/** The rules or relations that follow from what a question names. */
export function derive(kind: "rule" | "kg", { concepts, acts }: Frame, knowledge: Knowledge): Evidence[] {
  const { title, title_en, rows } = files[kind];
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
        title: `${title} ${items.map((item) => item.title).join(", ")}`,
        title_en: `${title_en} ${items.map((item) => item.title_en).join(", ")}`,
        statement,
        statement_en,
        aliases: [],
        mandatory: false,
        topics: [...new Set(items.flatMap(({ topics }) => topics))],
        source: items.some(({ source }) => source !== null) ? items.map((item) => item.title).join("; ") : null,
        confidence: items.find(({ confidence }) => confidence === "confirmed")?.confidence ?? "unconfirmed",
        related: sources,
      };
    });
}
