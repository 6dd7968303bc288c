import type { PatchSpeakerInput } from "../../schemas/role-inputs.ts";
import type { Edit } from "../../schemas/debate.ts";
import {
  findAspectGroup,
  type AspectView,
  languageOf,
  judgeByStructure,
} from "../../../../knowledge/opinions/index.ts";
import { viewDebate } from "./debate-views.ts";
import { confirm, findStage1Polarity, groundIn, set } from "./edits.ts";

/** EPM as a program: checks each polarity against the words that clause, relation and negation tie to the aspect (sentiment spec §3). */
export function mapEvidence(input: PatchSpeakerInput): Edit[] {
  return viewDebate(input.text, input.language_code, input.context).flatMap((view) => proposeEdits(input, view));
}

function proposeEdits(input: PatchSpeakerInput, view: AspectView): Edit[] {
  const stated = findStage1Polarity(input.context, view.term)?.polarity ?? null;
  const word = judgeByStructure(view);
  const grounds = groundIn(input.text, view, view.scoped);
  if (word === null || (word === "neutral" && stated === null)) return [];
  if (stated === word) return [confirm(view.term, word, grounds)];
  return isWarned(input, view) ? [] : [set(view.term, stated, word, grounds)];
}

/** An injected lesson to abstain on this kind of aspect stops a change that is not sure. */
function isWarned({ memory, language_code }: PatchSpeakerInput, view: AspectView): boolean {
  const group = findAspectGroup(view.term, languageOf(language_code));
  const lessons = (memory ?? []).filter((line) => line.advice === "abstain" && line.aspect_group === group);
  return lessons.length > 0 && view.scoped.confidence < 0.85;
}
