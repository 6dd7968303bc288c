import { languageOf } from "../../../../knowledge/opinions/index.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import { applyNeutralPolicy, type NeutralPolicy } from "../tuples/neutral-policy.ts";
import { showName, showNames } from "../tuples/shown-names.ts";
import { keepStated, listMentions, type Stated } from "../tuples/stated.ts";
import type { RuleResults } from "./rule-results.ts";

/** A list as the rules see it and, with the neutral policy applied, as it is shown. */
export type ListPair = { raw: readonly Sentiment[]; shown: Stated[]; mentions: string[] };

/** The lists of a case that may end up as the result. */
export type CaseLists = {
  stage1: ListPair;
  /** The Stage 2 list with every change applied. */
  patched: ListPair;
  /** The settled tuples; null without a patch debate. */
  settled: ListPair | null;
  /** What stands if the result is adopted: the settled tuples, else the patched list (sentiment spec §7). */
  candidate: ListPair;
};

/** Makes every list that may end up as the result, each under the same neutral policy (sentiment spec §2 and §7). */
export function makeLists(rules: RuleResults, policy: NeutralPolicy): CaseLists {
  const { turns, reviewed, patch } = rules;
  const language = languageOf(turns.language_code);
  const pair = (raw: readonly Sentiment[], mentions: string[]): ListPair => {
    const applied = applyNeutralPolicy(turns.text, { sentiments: raw, mentions }, policy, language);
    return { raw, shown: applied.sentiments, mentions: applied.mentions };
  };
  const { aspects, aspect_sentiments } = turns.stage1;
  const stage1 = pair(aspect_sentiments, listMentions(aspects, aspect_sentiments));
  const { names } = reviewed;
  const shown = showNames(names, rules.patched);
  const patched = pair(shown, listMentions(reviewed.aspects, shown));
  if (patch === null) return { stage1, patched, settled: null, candidate: patched };
  const gone = new Set([...patch.dropped, ...patch.moves.map((move) => move.from)]);
  const completed = patch.settled.map((sentiment) => complete(sentiment, rules.patched));
  const mentions = listMentions(aspects, completed).filter((term) => !gone.has(term));
  const settled = pair(
    showNames(names, completed),
    mentions.map((term) => showName(names, term)),
  );
  return { stage1, patched, settled, candidate: settled };
}

/** Takes confidence and evidence from the patched list where it has the same tuple. */
function complete(sentiment: Stated, patched: readonly Sentiment[]): Stated {
  const same = keepStated(patched).find(
    (one) => one.aspect_ref === sentiment.aspect_ref && one.polarity === sentiment.polarity,
  );
  if (!same) return sentiment;
  return {
    ...same,
    evidence: same.evidence || sentiment.evidence,
    opinion_term: same.opinion_term ?? sentiment.opinion_term,
  };
}
