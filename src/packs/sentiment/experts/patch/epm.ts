import type { PatchSpeakerInput } from "../../role-inputs.ts";
import type { Edit } from "../../schemas/debate.ts";
import type { AspectView } from "../aspect-views.ts";
import { debateViews } from "./debate-views.ts";
import { confirm, round, set, stage1Polarity } from "./edits.ts";

/** EPM as a program: checks each polarity against the words that clause, relation and negation tie to the aspect (spec section 3). */
export function mapEvidence(input: PatchSpeakerInput): Edit[] {
  return debateViews(input.text, input.language_code, input.context).flatMap((view) => editFor(input, view));
}

function editFor(input: PatchSpeakerInput, view: AspectView): Edit[] {
  const stated = stage1Polarity(input.context, view.term)?.polarity ?? null;
  const { polarity } = view.scoped;
  const grounds = { evidence: evidenceOf(input.text, view), confidence: round(view.scoped.confidence) };
  if (polarity === null && stated === null) return [];
  if (polarity === null)
    return view.term === "" || stated === "neutral" ? [] : [set(view.term, stated, "neutral", grounds)];
  return stated === polarity ? [confirm(view.term, polarity, grounds)] : [set(view.term, stated, polarity, grounds)];
}

/** The stretch from the aspect to its opinion; without one, the aspect itself. */
export function evidenceOf(text: string, view: AspectView): string | null {
  const { start, end } = view.scoped.evidence;
  const span = view.scoped.opinions.length > 0 ? { start, end } : view.spans[0];
  const words = span ? text.slice(span.start, span.end).trim() : "";
  return words === "" ? null : words;
}
