import { findMainReason } from "../gate/override-stats.ts";
import type { AdoptInput } from "./adopt.ts";
import { isReverted } from "./corrections.ts";
import { measureDebateSupport } from "./debate-support.ts";
import { measureAlignment, measureGrounding } from "./ev-score.ts";
import type { CaseLists } from "./make-lists.ts";
import { findResolvedRisks } from "./resolved-risks.ts";
import type { RuleResults } from "./rule-results.ts";
import { findTupleChanges, listPolarities, type TupleChange } from "./tuple-changes.ts";

/** Gathers what the adoption decision looks at (sentiment spec §7). */
export function gatherAdoptInput(rules: RuleResults, lists: CaseLists): AdoptInput {
  const { turns, context, gate } = rules;
  const changes = findVisibleChanges(rules, lists);
  const risks = turns.stage1.validator?.structural_risks ?? [];
  const resolved = findResolvedRisks(turns.text, turns.stage1, rules.reviewed.corrections, (correction) =>
    isReverted(correction, rules),
  );
  return {
    stage1: lists.stage1.raw,
    patched: lists.patched.raw,
    settled: lists.settled?.raw ?? null,
    riskResolved: resolved.length > 0,
    debateActed: hasActed(rules, changes),
    overrideContradicted: isContradicted(rules),
    gateReason: gate ? findMainReason(gate.records) : null,
    components: {
      debate_support: context
        ? measureDebateSupport(turns.text, changes, context, {
            reviewDiffers: (one) => reviewDiffers(one, rules),
            judgeAsks: (one) => isSettled(one, rules, "added_stage1_found_nothing"),
            textBears: (one) => isSettled(one, rules, "flipped_by_text"),
          })
        : null,
      validator_resolved: risks.length === 0 ? null : resolved.length / risks.length,
      grounding_improvement: measureGrounding(lists.stage1.raw, lists.candidate.raw),
      alignment_improvement: measureAlignment(lists.stage1.raw, lists.candidate.raw),
    },
  };
}

/** True when an override was applied or a tuple would change; what was asked for and refused changes nothing. */
function hasActed({ gate, patch }: RuleResults, changes: readonly TupleChange[]): boolean {
  return gate?.applied != null || (patch !== null && changes.length > 0);
}

/** True when the judge drops the aspect of the applied override, or gives it another polarity. */
function isContradicted({ gate, patch }: RuleResults): boolean {
  const applied = gate?.applied ?? null;
  if (applied === null || patch === null) return false;
  const word = patch.judge.word(applied.aspect);
  return patch.judge.drops(applied.aspect) || (word !== null && word !== applied.polarity);
}

/** The aspects whose shown tuple would change, with the polarities the rules gave them. */
function findVisibleChanges(rules: RuleResults, lists: CaseLists): TupleChange[] {
  const changes = findTupleChanges(lists.stage1.shown, lists.candidate.shown, [
    ...(rules.patch?.moves ?? []),
    ...[...rules.reviewed.names].map(([from, to]) => ({ from, to })),
  ]);
  return changes.map((change) => ({ ...change, after: listPolarities(lists.candidate.raw, change.names) }));
}

/** True when the tuple was settled for this reason (sentiment spec §7). */
function isSettled({ names }: TupleChange, { patch }: RuleResults, reason: string): boolean {
  return (patch?.settlements ?? []).some((one) => names.includes(one.aspect) && one.reason === reason);
}

/** True when Stage 2 changed the aspect too, but to something else. */
function reviewDiffers(change: TupleChange, { reviewed, turns }: RuleResults): boolean {
  const stage1 = listPolarities(turns.stage1.aspect_sentiments, change.names);
  const review = listPolarities(reviewed.sentiments, change.names);
  return review.join() !== stage1.join() && review.join() !== change.after.join();
}
