import type { PatchSpeakerInput } from "../../schemas/role-inputs.ts";
import type { Edit } from "../../schemas/debate.ts";
import type { Aspect, Polarity } from "../../schemas/stage1.ts";
import {
  type AspectView,
  isDoubtfulTarget,
  isNamedSurely,
  judgeByStructure,
} from "../../../../knowledge/opinions/index.ts";
import { viewDebate } from "./debate-views.ts";
import { confirm, drop, findStage1Polarity, groundIn, rename, set } from "./edits.ts";

/** TAN as a program: one name per target, nothing that is not a target, and a vote on what others would add (sentiment spec §3). */
export function normaliseTargets(input: PatchSpeakerInput): Edit[] {
  const views = viewDebate(input.text, input.language_code, input.context);
  const merged = findMerges(input.context.stage1_aspects);
  return views.flatMap((view) => {
    const longer = merged.get(view.term);
    if (longer !== undefined && !isNamedSurely(view))
      return [rename("merge_tuples", view.term, longer, { evidence: longer, confidence: 0.8 })];
    if (view.term !== "" && isDoubtfulTarget(input.text, input.language_code, view))
      return [drop(view.term, { evidence: view.term, confidence: 0.7 })];
    return [...confirmNearby(input, view), ...supportAddition(input, view)];
  });
}

/** "life" that only ever closes "battery life" is the same target, unless somebody is sure of it. */
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

/** A rating that the words near the target bear out stands on the right target, unless they belong to another. */
function confirmNearby({ text, context }: PatchSpeakerInput, view: AspectView): Edit[] {
  const stated = findStage1Polarity(context, view.term)?.polarity ?? null;
  if (stated === null || view.near.polarity !== stated || judgeByStructure(view) === "neutral") return [];
  return [confirm(view.term, stated, groundIn(text, view, view.near))];
}

/** Supports an addition that was proposed before it when the words near the target say the same, or, where they leave a surely named target open, the text as a whole. */
function supportAddition(input: PatchSpeakerInput, view: AspectView): Edit[] {
  if (findStage1Polarity(input.context, view.term) !== null) return [];
  const proposed = findProposal(input, view.term);
  const isOpen = view.near.polarity === null && isNamedSurely(view);
  const reading = isOpen ? view.whole : view.near;
  if (proposed === null || reading.polarity !== proposed) return [];
  return [set(view.term, null, proposed, groundIn(input.text, view, reading))];
}

function findProposal(input: PatchSpeakerInput, aspect: string): Polarity | null {
  const edits = input.history
    .flatMap((turn) => turn.proposed_edits)
    .filter((edit) => edit.target.aspect_ref === aspect);
  const last = edits.findLast((edit) => edit.op === "set_polarity");
  return last?.value === "positive" || last?.value === "negative" || last?.value === "neutral" ? last.value : null;
}
