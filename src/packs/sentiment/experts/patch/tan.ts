import type { PatchSpeakerInput } from "../../schemas/role-inputs.ts";
import type { Edit } from "../../schemas/debate.ts";
import type { Aspect, Polarity } from "../../schemas/stage1.ts";
import { type AspectView, isDoubtfulTarget } from "../../../../knowledge/opinions/index.ts";
import { viewDebate } from "./debate-views.ts";
import { confirm, drop, rename, round, set, findStage1Polarity } from "./edits.ts";
import { quoteEvidence } from "./epm.ts";

/** TAN as a program: one name per target, nothing that is not a target, and a vote on what others would add (sentiment spec §3). */
export function normaliseTargets(input: PatchSpeakerInput): Edit[] {
  const views = viewDebate(input.text, input.language_code, input.context);
  const merged = findMerges(input.context.stage1_aspects);
  return views.flatMap((view) => {
    const longer = merged.get(view.term);
    if (longer !== undefined) return [rename("merge_tuples", view.term, longer, { evidence: longer, confidence: 0.8 })];
    if (view.term !== "" && isDoubtfulTarget(input.text, input.language_code, view))
      return [drop(view.term, { evidence: view.term, confidence: 0.7 })];
    return [...confirmAgain(input, view), ...supportAddition(input, view)];
  });
}

/** "life" that only ever closes "battery life" is the same target. */
function findMerges(aspects: readonly Aspect[]): Map<string, string> {
  const merges = new Map<string, string>();
  for (const term of new Set(aspects.map((aspect) => aspect.term))) {
    const own = aspects.filter((aspect) => aspect.term === term);
    const holders = own.map((aspect) =>
      aspects.find(
        (other) => other.term !== term && other.span.start <= aspect.span.start && other.span.end === aspect.span.end,
      ),
    );
    const [first] = holders;
    if (first && holders.every((holder) => holder?.term === first.term)) merges.set(term, first.term);
  }
  return merges;
}

/** A rating that was confirmed before it stands on a right target. */
function confirmAgain(input: PatchSpeakerInput, view: AspectView): Edit[] {
  const stated = findStage1Polarity(input.context, view.term)?.polarity ?? null;
  const edits = input.history
    .flatMap((turn) => turn.proposed_edits)
    .filter((edit) => edit.target.aspect_ref === view.term);
  const last = edits.at(-1);
  if (stated === null || last?.op !== "confirm_tuple" || last.target.polarity !== stated) return [];
  return [
    confirm(view.term, stated, {
      evidence: quoteEvidence(input.text, view),
      confidence: round(view.scoped.confidence),
    }),
  ];
}

/** Supports an addition that was proposed before it when its own look does not speak against it. */
function supportAddition(input: PatchSpeakerInput, view: AspectView): Edit[] {
  if (findStage1Polarity(input.context, view.term) !== null) return [];
  const proposed = findProposal(input, view.term);
  const own = view.scoped.polarity ?? view.near.polarity;
  if (proposed === null || (own !== null && own !== proposed)) return [];
  return [
    set(view.term, null, proposed, {
      evidence: quoteEvidence(input.text, view),
      confidence: round(view.scoped.confidence),
    }),
  ];
}

function findProposal(input: PatchSpeakerInput, aspect: string): Polarity | null {
  const edits = input.history
    .flatMap((turn) => turn.proposed_edits)
    .filter((edit) => edit.target.aspect_ref === aspect);
  const last = edits.findLast((edit) => edit.op === "set_polarity");
  return last?.value === "positive" || last?.value === "negative" || last?.value === "neutral" ? last.value : null;
}
