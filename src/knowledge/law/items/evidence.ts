import * as z from "zod";

/** Which agent's side a source belongs to: the National Law Agent's or the Adat Law Agent's. */
export const DomainSchema = z.enum(["national", "adat"]);
export type Domain = z.infer<typeof DomainSchema>;

/**
 * The body of law a source belongs to. `national` binds everyone (constitution, statutes, decisions on them);
 * `civil_code` (KUHPerdata) and `islamic` (KHI) bind those subject to them; `adat` binds a community.
 */
export const RegimeSchema = z.enum(["national", "civil_code", "islamic", "adat"]);
export type Regime = z.infer<typeof RegimeSchema>;

/** The adat communities that the knowledge base knows; a user's own corpus may name others. */
export const communities = ["minangkabau", "bali", "jawa", "batak"] as const;

export const EvidenceKindSchema = z.enum(["provision", "norm", "jurisprudence", "rule", "kg"]);

/** `confirmed`: read in a text of the source or a page about it (not: checked by a lawyer). `unconfirmed` weighs less. */
export const ConfidenceSchema = z.enum(["confirmed", "unconfirmed"]);
export type Confidence = z.infer<typeof ConfidenceSchema>;

/** One thing that may be cited (law spec §2). `statement` is a paraphrase, never the source's wording. */
export const EvidenceSchema = z.strictObject({
  /** Stable: `NAT-KUHPER-852`, `ADT-BAL-08`, `rule:bali:sentana-rajeg-inherits`, `kg:mamak|manages|pusako_tinggi`. */
  id: z.string().min(1),
  /** Readable names accepted in place of the id: `KUHPerdata:852`, `UU-1-1974:35`, `adat:bali:sentana-rajeg`. */
  aliases: z.array(z.string()),
  kind: EvidenceKindSchema,
  domain: DomainSchema,
  regime: RegimeSchema,
  community: z.string().nullable(),
  /** What it is called when cited: "KUHPerdata Pasal 852". */
  title: z.string().min(1),
  title_en: z.string().min(1),
  /** Paraphrase in Indonesian. */
  statement: z.string().min(1),
  /** Paraphrase in English. */
  statement_en: z.string().min(1),
  /** Whom or what it binds, and whom not; null when it binds everyone. */
  scope: z.string().nullable(),
  scope_en: z.string().nullable(),
  topics: z.array(z.string()),
  source: z.string().min(1),
  source_kind: z.string(),
  confidence: ConfidenceSchema,
  /** Ids of items that it applies, limits or conflicts with. */
  related: z.array(z.string()),
});
export type Evidence = z.infer<typeof EvidenceSchema>;

/** The source kind of everything that a user imported. */
export const ownSourceKind = "user_corpus";

/** How much an item's confidence weighs in ranking and in an expert's confidence. */
export const confidenceWeight: Record<Confidence, number> = { confirmed: 1, unconfirmed: 0.8 };

/** The statement in the language of an answer. */
export function statementOf(evidence: Evidence, language: "id" | "en"): string {
  return language === "en" ? evidence.statement_en : evidence.statement;
}

/** The title in the language of an answer. */
export function titleOf(evidence: Evidence, language: "id" | "en"): string {
  return language === "en" ? evidence.title_en : evidence.title;
}
