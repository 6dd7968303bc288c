import { extractFacts } from "../facts/extract-facts.ts";
import { type Route, route } from "../router/route.ts";
import { compile } from "../rules/compile.ts";
import { type Derivation, derive } from "../rules/derive.ts";
import { fillTemplate } from "../rules/phrase.ts";
import type { Contradiction, Fact, Unknown } from "../rules/rule.ts";
import { runRules } from "../rules/run-rules.ts";
import { loadRules } from "../rules/shipped-rules.ts";
import { systemOf } from "../rules/systems.ts";
import { detectLanguage } from "../mentions/language.ts";

/** One conclusion with the rule behind it and, below it, what the rule used. */
export type Proof = {
  fact: Fact;
  given: boolean;
  rule: string | null;
  statement: string | null;
  sources: string[];
  from: Proof[];
};

/** How the rules read a question: its route, its facts, every conclusion as a proof, what is unknown, what contradicts. */
export type Explanation = {
  query: string;
  language: "id" | "en";
  route: Route;
  facts: Fact[];
  proofs: Proof[];
  unknown: Unknown[];
  contradictions: Contradiction[];
};

/** Explains what the rule engine makes of a question (law spec §2.4: conclusions with their rules and facts). */
export function explain(query: string): Explanation {
  const language = detectLanguage(query);
  const facts = extractFacts(query);
  const rules = loadRules();
  const { unknown, contradictions } = runRules(facts, rules);
  const { derivations } = derive(facts, rules.map(compile));
  const byFact = Map.groupBy(derivations, ({ fact }) => fact);
  const given = new Set(facts);
  const legal = [...byFact.keys()].filter((fact) => !given.has(fact) && systemOf(fact) !== null);
  const proofs = legal.map((fact) => prove(fact, { byFact, given, language }, []));
  return { query, language, route: route(query), facts, proofs, unknown, contradictions };
}

type Ground = { byFact: Map<Fact, Derivation[]>; given: ReadonlySet<Fact>; language: "id" | "en" };

/** A fact's first derivation that does not rest on the fact itself. */
function prove(fact: Fact, ground: Ground, above: Fact[]): Proof {
  const derivation = ground.given.has(fact)
    ? undefined
    : ground.byFact.get(fact)?.find(({ from }) => !from.some((premise) => above.includes(premise)));
  if (!derivation) return { fact, given: true, rule: null, statement: null, sources: [], from: [] };
  const { rule, binding, from } = derivation;
  const template = ground.language === "en" ? rule.rule.statement_en : rule.rule.statement;
  return {
    fact,
    given: false,
    rule: rule.rule.id,
    statement: fillTemplate(template, binding, ground.language),
    sources: rule.rule.sources,
    from: from.map((premise) => prove(premise, ground, [...above, fact])),
  };
}
