import * as z from "zod";

/**
 * A ground atom in text: `class(sawah, pusako_tinggi)`, or its strong negation `not consensus(kaum)`.
 * A fact that is absent is unknown, never false (law spec §2).
 */
export type Fact = string;

/** A declarative rule: when every literal of `when` is known, each of `conclude` is concluded. Capitalised arguments are variables. */
export const RuleSchema = z.strictObject({
  /** `rule:<community or national>:<name>`. */
  id: z.string().regex(/^rule:[a-z_]+:[a-z0-9-]+$/),
  when: z.array(z.string()).min(1),
  conclude: z.array(z.string()).min(1),
  /** What the rule says, in both languages; `{X}` is replaced by what the variable X was bound to. */
  statement: z.string(),
  statement_en: z.string(),
  /** Ids of the knowledge items that the rule formalises. */
  sources: z.array(z.string()).min(1),
});
export type Rule = z.infer<typeof RuleSchema>;

/** A derived fact with every rule that derived it and the facts they used. */
export type Conclusion = { fact: Fact; by: string[]; from: Fact[]; statement: string; statement_en: string };

/** A fact that would let a rule fire but that nobody stated. */
export type Unknown = { fact: Fact; needed_by: string[]; would_conclude: Fact[] };

/**
 * Facts that cannot both hold. `within`: inside one system of law (or the query contradicts itself);
 * `between`: two systems answer the same question differently (a conflict of norms).
 */
export type Contradiction = {
  kind: "within" | "between";
  facts: [Fact, Fact];
  by: string[];
  statement: string;
  statement_en: string;
};

export type RuleResult = { conclusions: Conclusion[]; unknown: Unknown[]; contradictions: Contradiction[] };
