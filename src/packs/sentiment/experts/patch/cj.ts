import type { PatchSpeakerInput } from "../../schemas/role-inputs.ts";
import type { Edit } from "../../schemas/debate.ts";
import { viewDebate } from "./debate-views.ts";
import { confirm, drop, findStage1Polarity, quoteEvidence, rename, round, set } from "./edits.ts";
import { resolve } from "./resolve.ts";

/** CJ as a program: one edit per aspect, weighing what was said with what the text shows (sentiment spec §3). */
export function weighEdits(input: PatchSpeakerInput): Edit[] {
  const { text, context, history } = input;
  return viewDebate(text, input.language_code, context).flatMap((view) => {
    const resolution = resolve(text, view, history, context);
    const grounds = { evidence: quoteEvidence(text, view, view.scoped), confidence: round(resolution.share) };
    const stated = findStage1Polarity(context, view.term)?.polarity ?? null;
    if (resolution.kind === "merge") return [rename("merge_tuples", view.term, resolution.into, grounds)];
    if (resolution.kind === "drop") return [drop(view.term, grounds)];
    if (resolution.kind === "silent") return [];
    const { polarity } = resolution;
    return stated === polarity ? [confirm(view.term, polarity, grounds)] : [set(view.term, stated, polarity, grounds)];
  });
}
