import type { DebateContext } from "../../schemas/role-inputs.ts";
import type { Stage1 } from "../../schemas/stage1.ts";

/** Stage 1 as every speaker and the judge see it: [SHARED_CONTEXT_JSON] (sentiment spec §3). */
export function toDebateContext(text: string, stage1: Stage1): DebateContext {
  return {
    text,
    stage1_aspects: stage1.aspects,
    stage1_aspect_sentiments: stage1.aspect_sentiments,
    stage1_structural_risks: stage1.validator?.structural_risks ?? [],
    stage1_correction_proposals: stage1.validator?.correction_proposals ?? [],
  };
}
