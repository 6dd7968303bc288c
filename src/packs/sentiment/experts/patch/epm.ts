import type { PatchSpeakerInput } from "../../role-inputs.ts";
import type { Edit } from "../../schemas/debate.ts";
import { type AspectView, structuralWord } from "../aspect-views.ts";
import { debateViews } from "./debate-views.ts";
import { confirm, round, set, stage1Polarity } from "./edits.ts";

/** EPM as a program: checks each polarity against the words that clause, relation and negation tie to the aspect (spec section 3). */
export function mapEvidence(input: PatchSpeakerInput): Edit[] {
  return debateViews(input.text, input.language_code, input.context).flatMap((view) => editFor(input, view));
}

function editFor(input: PatchSpeakerInput, view: AspectView): Edit[] {
  const stated = stage1Polarity(input.context, view.term)?.polarity ?? null;
  const word = structuralWord(view);
  const grounds = { evidence: evidenceOf(input.text, view), confidence: round(view.scoped.confidence) };
  if (word === null || (word === "neutral" && stated === null)) return [];
  return stated === word ? [confirm(view.term, word, grounds)] : [set(view.term, stated, word, grounds)];
}

/** The stretch from the aspect to its opinion; without one, the aspect itself. */
export function evidenceOf(text: string, view: AspectView): string | null {
  const { start, end } = view.scoped.evidence;
  const span = view.scoped.opinions.length > 0 ? { start, end } : view.spans[0];
  const words = span ? text.slice(span.start, span.end).trim() : "";
  return words === "" ? null : words;
}
