import * as z from "zod";
import type { Admits } from "../../../contract/run.ts";
import { nameOptions } from "../words/word.ts";

export const LanguageSchema = z.enum(["id", "en"]);
export type Language = z.infer<typeof LanguageSchema>;
export const DomainSchema = z.enum(["national", "adat"]);
export type Domain = z.infer<typeof DomainSchema>;
const routes = ["pure_national", "pure_adat", "conflict", "consensus"] as const;
export const RouteLabelSchema = z
  .enum(routes)
  .meta({ title: "What kind of question is it?", labels: nameOptions("label.route", routes) });
export type RouteLabel = z.infer<typeof RouteLabelSchema>;

export const SourceItemSchema = z.object({
  id: z.string().min(1),
  aliases: z.array(z.string()),
  kind: z.enum(["provision", "norm", "jurisprudence", "rule", "kg"]),
  domain: DomainSchema,
  regime: z.enum(["national", "civil_code", "islamic", "adat"]),
  community: z.string().nullable(),
  title: z.string().min(1),
  title_en: z.string().min(1),
  statement: z.string().min(1),
  statement_en: z.string().min(1),
  scope: z.string().nullable(),
  scope_en: z.string().nullable(),
  topics: z.array(z.string()),
  /** A citable source; null if none is known. */
  source: z.string().min(1).nullable(),
  confidence: z.enum(["confirmed", "unconfirmed"]),
  mandatory: z.boolean().default(false),
  related: z.array(z.string()),
});

export const LawInputSchema = z.preprocess(
  (value) => (typeof value === "string" ? { query: value } : value),
  z.strictObject({
    id: z.string().optional(),
    query: z
      .string()
      .trim()
      .min(1, "the question is empty")
      .max(4000, "the question is longer than 4000 characters")
      .meta({ title: "The question" }),
    domain_hint: RouteLabelSchema.optional().meta({ title: "What kind of question it is, if you know" }),
    corpus: z.array(SourceItemSchema).max(200).optional().meta({ title: "Sources of your own" }),
  }),
);
export type LawInput = z.infer<typeof LawInputSchema>;

/** An item found for a question: whether it answers, and who sees it (law spec §2.7). */
export const MaterialItemSchema = SourceItemSchema.omit({ topics: true }).extend({
  score: z.number(),
  /** How likely it is the right one for the question. */
  match: z.number().min(0).max(1).default(1),
  answers: z.boolean(),
  holder: z.enum(["national", "adat", "both", "critic"]),
  imported: z.boolean(),
});
export type MaterialItem = z.infer<typeof MaterialItemSchema>;

export const RouteSchema = z.strictObject({
  label: RouteLabelSchema,
  scores: z.strictObject({ national: z.number(), adat: z.number(), conflict: z.number() }),
  out_of_scope: z.boolean(),
  rationale: z.string(),
});

const ids = z.array(z.string());

function admit(id: string, text: string): MaterialItem {
  const words = { title: id, title_en: id, statement: text, statement_en: text, scope: null, scope_en: null };
  const place = { domain: "national", regime: "national", community: null, holder: "both" } as const;
  const worth = { confidence: "unconfirmed", mandatory: false, score: 0, match: 0, answers: false } as const;
  const source = { kind: "rule", source: "filed with a challenge", imported: true } as const;
  return { id, aliases: [], ...words, ...place, ...worth, ...source, related: [] };
}

/** Everything shown to agents or needed by rules (law spec §2); `reader` is the version that read the question. */
export const MaterialSchema = z.strictObject({
  reader: z.string(),
  query: z.string().default(""),
  language: LanguageSchema,
  route: RouteSchema,
  frame: z.strictObject({ acts: ids, about: ids, communities: ids, uncovered: ids, regimes: ids }),
  /** How likely it is that the question was misread: whether anything answers it, and which law it asks for. */
  doubt: z.number().min(0).max(1).default(0),
  missing: ids,
  disputed: ids,
  laws: ids.default([]),
  cited: z.array(z.strictObject({ text: z.string(), id: z.string().nullable(), known: z.boolean() })),
  evidence: z
    .array(MaterialItemSchema)
    .max(200)
    .meta({ admit } satisfies Admits),
});
export type Material = z.infer<typeof MaterialSchema>;
