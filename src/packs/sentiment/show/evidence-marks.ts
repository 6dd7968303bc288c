import type { Tone } from "../../../contract/view.ts";
import type { FinalAspect, FinalOutput } from "../schemas/final-output.ts";
import type { Polarity } from "../schemas/stage1.ts";
import { findTerm } from "../rules/tuples/find-term.ts";

/** A part of the text that carries a tuple: its aspect, or the words that speak of it. */
export type Mark = { start: number; end: number; label: string; tone: Tone; kind: "subject" | "evidence" };

const tones: Record<Polarity, Tone> = { positive: "good", negative: "bad", neutral: "neutral" };

export function toneOf(polarity: Polarity): Tone {
  return tones[polarity];
}

/** The aspects and their evidence in the text, in text order, without overlaps. */
export function findMarks({ meta, final_result }: FinalOutput): Mark[] {
  const marks = final_result.final_aspects.flatMap((aspect) => markAspect(meta.text, aspect));
  const kept: Mark[] = [];
  for (const mark of marks.sort((a, b) => a.start - b.start || b.end - a.end))
    if (!kept.some((other) => mark.start < other.end && other.start < mark.end)) kept.push(mark);
  return kept;
}

function markAspect(text: string, aspect: FinalAspect): Mark[] {
  const name = aspect.aspect_ref || "(implicit)";
  const tone = toneOf(aspect.polarity);
  const place = aspect.span;
  const words = findWords(text, aspect);
  const marks: Mark[] = [];
  if (place) marks.push({ ...place, label: name, tone, kind: "subject" });
  for (const part of words ? cutOut(words, place) : [])
    marks.push({ ...part, label: `${name}: ${aspect.polarity}`, tone, kind: "evidence" });
  return marks;
}

/** The opinion term, else the evidence unless it is the whole text. */
function findWords(text: string, aspect: FinalAspect): { start: number; end: number } | null {
  if (aspect.opinion_term) return aspect.opinion_term.span;
  const evidence = aspect.evidence.trim();
  return evidence === "" || evidence === text.trim() ? null : findTerm(text, evidence, aspect.span?.start ?? 0);
}

/** What is left of a range beside a hole. */
function cutOut(range: { start: number; end: number }, hole: { start: number; end: number } | null) {
  if (hole === null || hole.end <= range.start || hole.start >= range.end) return [range];
  const parts = [
    { start: range.start, end: hole.start },
    { start: hole.end, end: range.end },
  ];
  return parts.filter((part) => part.end > part.start);
}
