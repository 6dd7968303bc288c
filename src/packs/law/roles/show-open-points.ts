import { askFact, type Evidence, type RuleResult } from "../../../knowledge/law/index.ts";
import type { Language } from "../prompts/read-prompts.ts";

/** What rules leave open: which of those that are shown contradict each other, and what was not stated. What a rule concludes stands with it, as evidence. */
export function showOpenPoints(
  { contradictions, unknown }: OpenPoints,
  language: Language,
  shown: Pick<Evidence, "id">[],
) {
  const ids = new Set(shown.map(({ id }) => id));
  return {
    contradictions: contradictions.flatMap(({ by, statement, statement_en }) => {
      const rules = by.filter((id) => ids.has(id));
      return rules.length === 0 ? [] : [{ statement: language === "en" ? statement_en : statement, rules }];
    }),
    not_stated: unknown
      .filter(({ fact }) => wellFormed.test(fact))
      .slice(0, maxUnknown)
      .map(({ fact }) => askFact(fact, language)),
  };
}

export type OpenPoints = Pick<RuleResult, "contradictions" | "unknown">;

/** What some rules leave open beyond others. */
export function subtractPoints(all: OpenPoints, known: OpenPoints): OpenPoints {
  return {
    contradictions: all.contradictions.filter((one) => !known.contradictions.includes(one)),
    unknown: all.unknown.filter((one) => !known.unknown.includes(one)),
  };
}

const maxUnknown = 6;
/** A fact as the rules write it; anything else has no words to be asked in. */
const wellFormed = /^(?:not )?[a-z_]+\([\w, ]*\)$/;
