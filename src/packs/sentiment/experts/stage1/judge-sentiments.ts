import type { AtsaInput } from "../../schemas/role-inputs.ts";
import type { AtsaReply, SentimentReply } from "../../schemas/stage1.ts";
import { type AspectView, viewImplicit, type Reading, viewAspects } from "../../../../knowledge/opinions/index.ts";

/** ATSA as a program: the learnt reading of each given aspect, else the plain one, and of the whole text when no aspect is judged (sentiment spec §2). */
export function judgeSentiments({ text, language_code, aspects }: AtsaInput): AtsaReply {
  const views = viewAspects(text, language_code, aspects);
  const judged = views.some((view) => readAlone(view).polarity !== null);
  const implicit = judged || views.some((view) => view.term === "") ? [] : [viewImplicit(text, language_code, null)];
  const all = [...views, ...implicit.filter((view) => readAlone(view).polarity !== null)];
  return { aspect_sentiments: all.map((view) => toSentiment(text, view)) };
}

/** Stage 1 reads without hearing anyone: what was learnt, where something was. */
function readAlone(view: AspectView): Reading {
  return view.learnt ?? view.near;
}

function toSentiment(text: string, view: AspectView): SentimentReply {
  const reading = readAlone(view);
  const opinion = reading.opinions.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))[0];
  const { start, end } = reading.evidence;
  return {
    aspect_ref: view.term,
    polarity: reading.polarity,
    opinion_term: opinion
      ? { term: text.slice(opinion.span.start, opinion.span.end), span: { ...opinion.span } }
      : null,
    evidence: text.slice(start, end),
    confidence: round(reading.polarity === null ? 0 : reading.confidence),
    polarity_distribution: spreadConfidence(view),
    is_implicit: view.term === "",
  };
}

function spreadConfidence(view: AspectView): SentimentReply["polarity_distribution"] {
  const reading = readAlone(view);
  if (reading.polarity === null) return null;
  if (view.learnt) {
    const [positive, negative] = [round(view.learnt.shares.positive), round(view.learnt.shares.negative)];
    return { positive, negative, neutral: round(1 - positive - negative) };
  }
  const rest = round((1 - reading.confidence) / 2);
  const shares = { positive: rest, negative: rest, neutral: rest };
  return { ...shares, [reading.polarity]: round(1 - 2 * rest) };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
