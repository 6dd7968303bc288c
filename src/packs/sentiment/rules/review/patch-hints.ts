import { readVote } from "../tuples/votes.ts";
import type { Edit, Patch, PatchSummary, PatchTurn } from "../../schemas/debate.ts";
import type { Hint } from "../../schemas/stage2.ts";
import type { AspectMatcher } from "../tuples/aspect-matcher.ts";

/** A vote on an aspect; a null aspect was named and is unknown, an undefined one was not named at all. */
export type AspectVote = { aspect: string | null | undefined; hint: Hint; invalid: boolean };

const speakerWeights: Record<string, number> = {
  set_polarity: 0.5,
  confirm_tuple: 0.5,
  merge_tuples: 0.5,
  drop_tuple: 0.8,
};
const judgeWeight = 0.8;

/** The votes of a patch turn, one per edit (sentiment spec §4). */
export function listTurnVotes(turn: PatchTurn, matcher: AspectMatcher): AspectVote[] {
  return turn.proposed_edits.map((edit) => {
    const weight = speakerWeights[edit.op] ?? 0;
    return castVote(edit, { speaker: turn.agent, weight, confidence: edit.confidence }, matcher);
  });
}

/** The votes of the judge's patch: confirmations, polarities and drops (sentiment spec §4). */
export function listJudgeVotes(summary: PatchSummary, matcher: AspectMatcher): AspectVote[] {
  return summary.final_patch
    .filter((patch) => ["confirm_tuple", "set_polarity", "drop_tuple"].includes(patch.op))
    .map((patch) => castVote(patch, { speaker: "judge", weight: judgeWeight, confidence: null }, matcher));
}

function castVote(
  edit: Edit | Patch,
  by: { speaker: string; weight: number; confidence: number | null },
  matcher: AspectMatcher,
): AspectVote {
  const { polarity, removal, removes, invalid } = readVote(edit);
  const named = edit.target.aspect_ref.trim();
  const match = matcher.resolve(named);
  return {
    aspect: named === "" ? (match.aspect ?? undefined) : match.aspect,
    invalid,
    hint: {
      speaker: by.speaker,
      stance: "patch",
      weight: polarity !== null || removal ? by.weight : 0,
      polarity_hint: polarity,
      provenance_hint: `source:${by.speaker}/patch`,
      removal,
      removes,
      confidence: by.confidence,
    },
  };
}
