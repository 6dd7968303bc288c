import type { SentimentConfig } from "../config/config.ts";
import type { Sentiment } from "../schemas/stage1.ts";
import { mentionsOf, type Stated, stated } from "../stage1/missing.ts";
import { applyNeutralPolicy } from "../stage1/neutral-policy.ts";
import { languageOf } from "../text/detect-language.ts";
import type { RuleResults } from "./rule-results.ts";

/** A list as the rules see it and, with the neutral policy applied, as it is shown. */
export type ListPair = { raw: readonly Sentiment[]; shown: Stated[]; mentions: string[] };

export type FinalLists = {
  stage1: ListPair;
  /** The Stage 2 list with every change applied. */
  patched: ListPair;
  /** The settled tuples; null without a patch debate. */
  settled: ListPair | null;
  /** What stands if the result is adopted: the settled tuples, else the patched list (spec section 7). */
  candidate: ListPair;
};

export function finalLists(rules: RuleResults, config: SentimentConfig): FinalLists {
  const { turns, reviewed, patch } = rules;
  const language = languageOf(turns.language_code);
  const pair = (raw: readonly Sentiment[], mentions: string[]): ListPair => {
    const applied = applyNeutralPolicy(turns.text, { sentiments: raw, mentions }, config.neutral_policy, language);
    return { raw, shown: applied.sentiments, mentions: applied.mentions };
  };
  const stage1 = pair(turns.stage1.aspect_sentiments, mentionsOf(turns.stage1.aspects, turns.stage1.aspect_sentiments));
  const patched = pair(rules.patched, mentionsOf(reviewed.aspects, rules.patched));
  if (patch === null) return { stage1, patched, settled: null, candidate: patched };
  const gone = new Set([...patch.dropped, ...patch.moves.map((move) => move.from)]);
  const completed = patch.settled.map((sentiment) => complete(sentiment, rules.patched));
  const mentions = mentionsOf(turns.stage1.aspects, completed).filter((term) => !gone.has(term));
  const settled = pair(completed, mentions);
  return { stage1, patched, settled, candidate: settled };
}

/** Takes confidence and evidence from the patched list where it has the same tuple. */
function complete(sentiment: Stated, patched: readonly Sentiment[]): Stated {
  const same = stated(patched).find(
    (one) => one.aspect_ref === sentiment.aspect_ref && one.polarity === sentiment.polarity,
  );
  if (!same) return sentiment;
  return {
    ...same,
    evidence: same.evidence || sentiment.evidence,
    opinion_term: same.opinion_term ?? sentiment.opinion_term,
  };
}
