import type { DebateContext, ReviewInput } from "../../role-inputs.ts";

/** Stage 1 as the speakers of a debate see it. */
export function contextOf({ text, stage1 }: ReviewInput): DebateContext {
  return {
    text,
    stage1_aspects: stage1.aspects,
    stage1_aspect_sentiments: stage1.aspect_sentiments,
    stage1_structural_risks: stage1.validator?.structural_risks ?? [],
    stage1_correction_proposals: stage1.validator?.correction_proposals ?? [],
  };
}
