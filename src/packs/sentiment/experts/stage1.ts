/** Experts for ATE, ATSA and the Validator (sentiment spec §2). */
import { type AspectView, type Reading, readerOf, viewAspects } from "../../../knowledge/opinions/index.ts";
import { overlaps } from "../rules/text.ts";
import { flipPolarity } from "../rules/tuples.ts";
import type { AteInput, AtsaInput, ValidatorInput } from "../schemas/inputs.ts";
import type { AteReply, AtsaReply, SentimentReply, Span, StructuralRisk, ValidatorReply } from "../schemas/stage1.ts";

export function extractAspects({ material: { text, language_code, orders } }: AteInput): AteReply {
  const aspects = readerOf(language_code)
    .candidates(text)
    .filter(({ span }) => !orders.some((order) => overlaps(order, span)))
    .map(({ span, head, confidence, why }) => {
      const term = text.slice(span.start, span.end);
      return { term, span, normalized: null, syntactic_head: head, confidence: round(confidence), rationale: why };
    });
  return { aspects };
}

/** The learnt reading of each aspect, else the plain one; the whole text if there is no aspect. */
export function judgeSentiments({ material: { text, language_code }, aspects }: AtsaInput): AtsaReply {
  const whole = [{ term: "", span: { start: 0, end: 0 } }];
  const views = viewAspects(text, language_code, aspects.length > 0 ? aspects : whole);
  const said = views.map((view) => toSentiment(text, view));
  return { aspect_sentiments: aspects.length > 0 ? said : said.filter(({ polarity }) => polarity !== null) };
}

/** Stage 1 reads alone: the learnt reading, unless all others contradict it. */
function readAlone({ learnt, near, scoped, whole }: AspectView): Reading {
  if (!learnt) return near;
  const isAgreed = near.polarity !== null && near.polarity === scoped.polarity && near.polarity === whole.polarity;
  const isReversed = learnt.label !== "neutral" && flipPolarity(learnt.label) === near.polarity;
  return isAgreed && isReversed ? { ...near, confidence: 0.6 } : learnt;
}

function toSentiment(text: string, view: AspectView): SentimentReply {
  const reading = readAlone(view);
  const { polarity, confidence, evidence } = reading;
  const opinion = reading.opinions.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))[0];
  const shares = view.learnt === reading ? view.learnt.shares : null;
  return {
    aspect_ref: view.term,
    polarity,
    opinion_term: opinion ? { term: opinion.term, span: { ...opinion.span } } : null,
    evidence: text.slice(evidence.start, evidence.end),
    confidence: round(polarity === null ? 0 : confidence),
    polarity_distribution:
      polarity === null || shares === null
        ? null
        : { positive: round(shares.positive), negative: round(shares.negative), neutral: round(shares.neutral) },
    is_implicit: view.term === "",
  };
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export const nameAspect = (aspect: string) => aspect || "(implicit)";

/** Risks where the text's structure makes Stage 1 doubtful. It shares the reading of Stage 1, so it proposes no correction. */
export function validate(input: ValidatorInput): ValidatorReply {
  const { material, aspects } = input;
  const structural_risks = findRisks(input, viewAspects(material.text, material.language_code, aspects));
  return { structural_risks, correction_proposals: [], consistency_score: scoreConsistency(structural_risks) };
}

const costs: Record<string, number> = { low: 0.05, medium: 0.12, high: 0.25 };

export function scoreConsistency(risks: readonly StructuralRisk[]): number {
  return round(Math.max(0, 1 - risks.reduce((sum, risk) => sum + (costs[risk.severity] ?? 0.1), 0)));
}

function findRisks(input: ValidatorInput, views: readonly AspectView[]): StructuralRisk[] {
  const { text, language_code } = input.material;
  const marks = readerOf(language_code).marks(text);
  const risk = (type: string, scope: Span, severity: string, describe: (words: string) => string): StructuralRisk => {
    return { type, scope: { ...scope }, severity, description: describe(text.slice(scope.start, scope.end)) };
  };
  const irony = marks.ironies
    .slice(0, 1)
    .map((scope) => risk("IRONY", scope, "high", (words) => `"${words}" may mean the opposite of what it says`));
  const sentiments = input.aspect_sentiments.flatMap((one) => {
    const view = views.find(({ term }) => term === one.aspect_ref);
    return one.polarity === null || !view || view.term === "" ? [] : checkSentiment(one.polarity, view, risk);
  });
  return [...irony, ...sentiments];
}

type MakeRisk = (type: string, scope: Span, severity: string, describe: (words: string) => string) => StructuralRisk;

function checkSentiment(stated: string, { term, spans, near, scoped }: AspectView, risk: MakeRisk): StructuralRisk[] {
  const place = spans[0] as Span;
  const scope = scoped.opinions[0]?.span ?? place;
  if (stated !== "neutral" && near.opinions.length === 0 && scoped.opinions.length === 0)
    return [risk("EVIDENCE_GAP", scope, "medium", () => `no word of the text rates "${term}"`)];
  if (scoped.polarity === null || scoped.polarity === stated) return [];
  /** A mismatch covers the aspect, the contradicting words, and everything between. */
  const both = { start: Math.min(scope.start, place.start), end: Math.max(scope.end, place.end) };
  return [risk("POLARITY_MISMATCH", both, "medium", (words) => `"${words}" does not read ${stated}`)];
}
