import { compile } from "./compile.ts";
import { findContradictions } from "./contradictions.ts";
import { type Derivation, derive } from "./derive.ts";
import { readAtom, writeAtom } from "./atom.ts";
import { fillTemplate } from "./phrase.ts";
import type { Conclusion, Fact, Rule, RuleResult } from "./rule.ts";
import { findUnknowns } from "./unknowns.ts";

/**
 * Runs the rules over the facts (law spec §2.4): every conclusion with the rules and facts behind it, what is unknown
 * and would matter, and contradictions, which never empty the result.
 */
export function runRules(facts: Fact[], rules: Rule[]): RuleResult {
  const compiled = rules.map(compile).toSorted((a, b) => (a.rule.id < b.rule.id ? -1 : 1));
  const derived = derive(facts, compiled);
  const given = new Set(facts.map((fact) => writeAtom(readAtom(fact))));
  const byFact = Map.groupBy(derived.derivations, ({ fact }) => fact);
  const conclusions = [...byFact].filter(([fact]) => !given.has(fact)).map(([fact, of]) => conclude(fact, of));
  const say = (fact: Fact) => {
    const of = byFact.get(fact);
    return of ? conclude(fact, of) : { by: [], statement: fact, statement_en: fact };
  };
  return { conclusions, unknown: findUnknowns(derived, compiled), contradictions: findContradictions(derived, say) };
}

function conclude(fact: Fact, derivations: Derivation[]): Conclusion {
  const said = (language: "id" | "en") => {
    const texts = derivations.map(({ rule, binding }) =>
      fillTemplate(language === "id" ? rule.rule.statement : rule.rule.statement_en, binding, language),
    );
    return [...new Set(texts)].join(" ");
  };
  return {
    fact,
    by: [...new Set(derivations.map(({ rule }) => rule.rule.id))].toSorted(),
    from: [...new Set(derivations.flatMap(({ from }) => from))].toSorted(),
    statement: said("id"),
    statement_en: said("en"),
  };
}
