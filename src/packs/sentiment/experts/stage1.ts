/** ATE, ATSA and the Validator as programs (sentiment spec §2). */
import {
  type AspectView,
  findAspectGroup,
  judgeByStructure,
  type Marks,
  type Reading,
  readerOf,
  viewAspects,
  viewImplicit,
} from "../../../knowledge/opinions/index.ts";
import { overlaps } from "../rules/text.ts";
import type { AteInput, AtsaInput, ValidatorInput } from "../schemas/inputs.ts";
import type {
  AteReply,
  AtsaReply,
  CorrectionProposal,
  SentimentReply,
  Span,
  StructuralRisk,
  ValidatorReply,
} from "../schemas/stage1.ts";

export function extractAspects({ material: { text, language_code, orders } }: AteInput): AteReply {
  const aspects = readerOf(language_code)
    .candidates(text)
    .filter(({ span }) => !orders.some((order) => overlaps(order, span)))
    .map(({ span, head, confidence, why }) => {
      const term = text.slice(span.start, span.end);
      const normalized = findAspectGroup(term, language_code);
      return { term, span, normalized, syntactic_head: head, confidence, rationale: why };
    });
  return { aspects };
}

export function judgeSentiments({ material: { text, language_code }, aspects }: AtsaInput): AtsaReply {
  const views = viewAspects(text, language_code, aspects);
  const implicit = views.length > 0 ? [] : [viewImplicit(text, language_code, null)];
  const all = [...views, ...implicit.filter((view) => readAlone(view).polarity !== null)];
  return { aspect_sentiments: all.map((view) => toSentiment(text, view)) };
}

function readAlone({ learnt, near, scoped, whole }: AspectView): Reading {
  const agreed = near.polarity !== null && near.polarity === scoped.polarity && near.polarity === whole.polarity;
  const isReversed = learnt?.label !== "neutral" && near.polarity !== "neutral" && learnt?.label !== near.polarity;
  return learnt && !(agreed && isReversed) ? learnt : agreed && learnt ? { ...near, confidence: 0.6 } : near;
}

function toSentiment(text: string, view: AspectView): SentimentReply {
  const reading = readAlone(view);
  const opinion = reading.opinions.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))[0];
  const { start, end } = reading.evidence;
  const term = opinion && text.slice(opinion.span.start, opinion.span.end);
  return {
    aspect_ref: view.term,
    polarity: reading.polarity,
    opinion_term: opinion && term ? { term, span: { ...opinion.span } } : null,
    evidence: text.slice(start, end),
    confidence: round(reading.polarity === null ? 0 : reading.confidence),
    polarity_distribution: spreadConfidence(view, reading),
    is_implicit: view.term === "",
  };
}

function spreadConfidence({ learnt }: AspectView, reading: Reading): SentimentReply["polarity_distribution"] {
  if (reading.polarity === null) return null;
  if (learnt && reading === learnt) {
    const [positive, negative] = [round(learnt.shares.positive), round(learnt.shares.negative)];
    return { positive, negative, neutral: round(1 - positive - negative) };
  }
  const rest = round((1 - reading.confidence) / 2);
  return { positive: rest, negative: rest, neutral: rest, [reading.polarity]: round(1 - 2 * rest) };
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function validate(input: ValidatorInput): ValidatorReply {
  const { material, aspects, aspect_sentiments } = input;
  const views = viewAspects(material.text, material.language_code, aspects);
  const structural_risks = findRisks(input, views);
  const correction_proposals = views.flatMap((view): CorrectionProposal[] => {
    const stated = aspect_sentiments.find((one) => one.aspect_ref === view.term && one.polarity !== null)?.polarity;
    const opposite = stated === "positive" ? "negative" : stated === "negative" ? "positive" : null;
    if (opposite === null || view.near.polarity !== opposite || view.scoped.polarity !== opposite) return [];
    const words = view.scoped.opinions.map((opinion) => `"${opinion.term}"`).join(", ");
    const rationale = `${words} reads ${opposite} for "${view.term}", not ${stated}`;
    return [{ target_aspect: view.term, proposal_type: "FLIP_POLARITY", revised_span: null, rationale }];
  });
  return { structural_risks, correction_proposals, consistency_score: scoreConsistency(structural_risks) };
}

const costs: Record<string, number> = { low: 0.05, medium: 0.12, high: 0.25 };

export function scoreConsistency(risks: readonly StructuralRisk[]): number {
  return round(Math.max(0, 1 - risks.reduce((sum, risk) => sum + (costs[risk.severity] ?? 0.1), 0)));
}

export function findRisks(input: ValidatorInput, views: readonly AspectView[]): StructuralRisk[] {
  const { text, language_code } = input.material;
  const marks = readerOf(language_code).marks(text);
  const quote = (span: Span) => text.slice(span.start, span.end);
  const irony = marks.ironies.slice(0, 1).map(
    (scope): StructuralRisk => ({
      type: "IRONY",
      scope: { ...scope },
      severity: "high",
      description: `"${quote(scope)}" may mean the opposite of what it says`,
    }),
  );
  const sentiments = input.aspect_sentiments.flatMap((one) => checkSentiment(input, one, views, marks, quote));
  return [...irony, ...findContrast(input, marks, quote), ...sentiments];
}

function findContrast(
  { material, aspects, aspect_sentiments }: ValidatorInput,
  marks: Marks,
  quote: (span: Span) => string,
): StructuralRisk[] {
  const marker = marks.contrasts[0];
  if (!marker) return [];
  const rated = aspect_sentiments.filter((one) => one.polarity !== null && one.aspect_ref !== "");
  const word = quote(marker);
  if (new Set(aspects.map((aspect) => aspect.term)).size < 2) {
    const description = `"${word}" contrasts two things, but fewer than two aspects were found`;
    return [
      { type: "MISSING_SECOND_ASPECT", scope: { start: 0, end: material.text.length }, severity: "low", description },
    ];
  }
  if (rated.length < 2 || new Set(rated.map((sentiment) => sentiment.polarity)).size > 1) return [];
  const description = `the sides of "${word}" are rated alike`;
  return [{ type: "CONTRAST_SCOPE", scope: { ...marker }, severity: "medium", description }];
}

function checkSentiment(
  { material }: ValidatorInput,
  sentiment: ValidatorInput["aspect_sentiments"][number],
  views: readonly AspectView[],
  marks: Marks,
  quote: (span: Span) => string,
): StructuralRisk[] {
  const view = views.find((one) => one.term === sentiment.aspect_ref);
  if (sentiment.polarity === null || !view || view.term === "") return [];
  const place = view.spans[0] ?? { start: 0, end: material.text.length };
  const scope = { ...(view.scoped.opinions[0]?.span ?? place) };
  const name = `"${view.term}"`;
  const gap = (severity: string, at: Span, description: string) => [
    { type: "EVIDENCE_GAP", scope: { ...at }, severity, description },
  ];
  if (sentiment.polarity !== "neutral") {
    if (view.near.opinions.length === 0 && view.scoped.opinions.length === 0)
      return gap("medium", scope, `no word of the text rates ${name}`);
    if (judgeByStructure(view) === "neutral")
      return gap("low", place, `the judgement near ${name} is about something else`);
  }
  const { polarity } = view.scoped;
  if (polarity === null || polarity === sentiment.polarity) return [];
  const negation = marks.negations.find((one) => one.start < scope.end + 12 && scope.start < one.end + 12);
  if (negation) {
    const description = `"${quote(negation)}" may reach ${name}`;
    return [{ type: "NEGATION_SCOPE", scope: { ...negation }, severity: "medium", description }];
  }
  const both = { start: Math.min(scope.start, place.start), end: Math.max(scope.end, place.end) };
  const description = `"${quote(scope)}" does not read ${sentiment.polarity} for ${name}`;
  return [{ type: "POLARITY_MISMATCH", scope: both, severity: "medium", description }];
}
