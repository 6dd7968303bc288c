import type { AdoptInput } from "../adopt/adopt.ts";
import { debateSupport } from "../adopt/debate-support.ts";
import { alignmentImprovement, groundingImprovement } from "../adopt/ev-score.ts";
import { resolvedRisks } from "../adopt/resolved-risks.ts";
import { type TupleChange, tupleChanges } from "../adopt/tuple-changes.ts";
import { representativeReason } from "../gate/override-stats.ts";
import type { Correction } from "../schemas/outcome.ts";
import type { Polarity, Sentiment } from "../schemas/stage1.ts";
import { stated } from "../stage1/missing.ts";
import type { FinalLists } from "./final-lists.ts";
import type { RuleResults } from "./rule-results.ts";

/** Gathers what the adoption decision looks at (spec section 7). */
export function adoptInput(rules: RuleResults, lists: FinalLists): AdoptInput {
  const { turns, context, gate, patch } = rules;
  const changes = visibleChanges(rules, lists);
  const risks = turns.stage1.validator?.structural_risks ?? [];
  const resolved = resolvedRisks(turns.text, turns.stage1, rules.reviewed.corrections, (correction) =>
    isReverted(correction, rules),
  );
  const applied = gate?.applied ?? null;
  const word = applied && patch ? patch.judge.word(applied.aspect) : null;
  return {
    stage1: lists.stage1.raw,
    patched: lists.patched.raw,
    settled: lists.settled?.raw ?? null,
    riskResolved: resolved.length > 0,
    debateActed:
      applied !== null ||
      (patch !== null && changes.length > 0) ||
      (turns.debate?.style === "patch" &&
        (turns.debate.summary?.final_patch ?? []).some((edit) => edit.op !== "confirm_tuple")),
    overrideContradicted:
      applied !== null &&
      patch !== null &&
      (patch.judge.drops(applied.aspect) || (word !== null && word !== applied.polarity)),
    gateReason: gate ? representativeReason(gate.records) : null,
    components: {
      debate_support: context ? debateSupport(turns.text, changes, context, (one) => reviewDiffers(one, rules)) : null,
      validator_resolved: risks.length === 0 ? null : resolved.length / risks.length,
      grounding_improvement: groundingImprovement(lists.stage1.raw, lists.candidate.raw),
      alignment_improvement: alignmentImprovement(lists.stage1.raw, lists.candidate.raw),
    },
  };
}

/** The aspects whose shown tuple would change, with the polarities the rules gave them. */
function visibleChanges(rules: RuleResults, lists: FinalLists): TupleChange[] {
  const changes = tupleChanges(lists.stage1.shown, lists.candidate.shown, rules.patch?.moves);
  return changes.map((change) => ({ ...change, after: polaritiesOf(lists.candidate.raw, change.names) }));
}

/** True when Stage 2 changed the aspect too, but to something else. */
function reviewDiffers(change: TupleChange, { reviewed, turns }: RuleResults): boolean {
  const stage1 = polaritiesOf(turns.stage1.aspect_sentiments, change.names);
  const review = polaritiesOf(reviewed.sentiments, change.names);
  return review.join() !== stage1.join() && review.join() !== change.after.join();
}

/** True when the settled tuples do not keep what a correction did; without a patch debate nothing is reverted. */
export function isReverted(correction: Correction, { patch }: RuleResults): boolean {
  if (patch === null) return false;
  const settled = polaritiesOf(patch.settled, [correction.target_aspect]);
  if (correction.resulting_polarity !== null) return !settled.includes(correction.resulting_polarity);
  return correction.proposal_type.startsWith("DROP") && settled.length > 0;
}

function polaritiesOf(list: readonly Sentiment[], names: readonly string[]): Polarity[] {
  const own = stated(list).filter((sentiment) => names.includes(sentiment.aspect_ref));
  return [...new Set(own.map((sentiment) => sentiment.polarity))].sort();
}
