import * as z from "zod";

/**
 * A ground atom in text: `class(sawah, pusako_tinggi)`, or its strong negation `not consensus(kaum)`.
 * A fact that is absent is unknown, never false (law spec §2.4).
 */
export type Fact = string;

/**
 * A declarative rule: when every condition of `when` is known, each of `conclude` is concluded. Conditions are read by
 * `readLiteral`; capitalised arguments are variables.
 */
export const RuleSchema = z.strictObject({
  /** `rule:<community or national>:<name>`. */
  id: z.string().regex(/^rule:[a-z_]+:[a-z0-9-]+$/),
  when: z.array(z.string()).min(1),
  /** Exceptions: a stated fact that matches one of these keeps the rule from firing; an unstated one is presumed absent and reported. */
  unless: z.array(z.string()).optional(),
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

/**
 * A fact that nobody stated and that matters: with it the rules would also conclude `would_conclude`, or no longer
 * conclude `would_defeat`.
 */
export type Unknown = { fact: Fact; needed_by: string[]; would_conclude: Fact[]; would_defeat?: Fact[] };

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
