/** Short ways to write down the turns of a sentiment debate. */
import {
  type Aspect,
  type CorrectionProposal,
  type DebateOutput,
  type Edit,
  noMemory,
  type Patch,
  type PatchDebate,
  type PatchSummary,
  type PatchTurn,
  type Polarity,
  type Sentiment,
  type Stage1,
  type Stage2,
  type StructuralRisk,
  personasOf,
  prepare,
  SentimentConfigSchema,
} from "../../../src/packs/sentiment/index.ts";

const plain = SentimentConfigSchema.parse({});
const personas = personasOf(plain, "en");

export function aspect(text: string, term: string, confidence = 0.8): Aspect {
  const start = Math.max(0, text.indexOf(term));
  const span = { start, end: start + term.length };
  return { term, span, normalized: null, syntactic_head: null, confidence, rationale: "" };
}

export function sentiment(aspect_ref: string, polarity: Polarity | null, over: Partial<Sentiment> = {}): Sentiment {
  return {
    aspect_ref,
    polarity,
    opinion_term: null,
    evidence: "",
    confidence: 0.8,
    polarity_distribution: null,
    is_implicit: aspect_ref === "",
    ...over,
  };
}

export function risk(type: string, start: number, end: number, severity = "medium"): StructuralRisk {
  return { type, scope: { start, end }, severity, description: "seen in the text" };
}

export function proposal(
  target_aspect: string,
  proposal_type: string,
  over: Partial<CorrectionProposal> = {},
): CorrectionProposal {
  return { target_aspect, proposal_type, revised_span: null, rationale: "", ...over };
}

/** Stage 1 on these terms; `null` leaves a term without a sentiment. */
export function stage1(
  text: string,
  polarities: Record<string, Polarity | null | Sentiment>,
  validator: Partial<NonNullable<Stage1["validator"]>> | null = {},
): Stage1 {
  const terms = Object.keys(polarities).filter((term) => term !== "");
  return {
    aspects: terms.map((term) => aspect(text, term)),
    aspect_sentiments: Object.entries(polarities).flatMap(([term, value]) =>
      value === null ? [] : [typeof value === "string" ? sentiment(term, value) : value],
    ),
    validator: validator && { structural_risks: [], consistency_score: 0.5, correction_proposals: [], ...validator },
  };
}

export function edit(op: string, aspect_ref: string, polarity: string | null = null, over: Partial<Edit> = {}): Edit {
  const isSet = op === "set_polarity";
  return {
    op,
    target: { aspect_ref, polarity: isSet ? null : polarity },
    value: isSet ? polarity : null,
    evidence: null,
    confidence: null,
    ...over,
  };
}

export function patch(
  op: string,
  aspect_ref: string,
  polarity: string | null = null,
  value: string | null = null,
): Patch {
  const { target, value: own } = edit(op, aspect_ref, polarity);
  return { op, target, value: value ?? own };
}

export function turn(speaker: string, ...proposed_edits: Edit[]): PatchTurn {
  return { speaker, agent: speaker.toUpperCase(), round: 1, proposed_edits, by_program: false };
}

export function judge(tuples: Record<string, Polarity>, over: Partial<PatchSummary> = {}): PatchSummary {
  return {
    final_patch: Object.entries(tuples).map(([term, polarity]) => patch("confirm_tuple", term, polarity)),
    final_tuples: Object.entries(tuples).map(([term, polarity]) => ({ aspect_ref: term, aspect_term: term, polarity })),
    unresolved_conflicts: [],
    sentence_polarity: null,
    sentence_evidence_spans: [],
    aspect_evidence: {},
    rationale: null,
    ...over,
  };
}

export function patchDebate(
  text: string,
  turns: PatchTurn[],
  summary: PatchSummary | null,
  over: Partial<PatchDebate> = {},
): PatchDebate {
  return {
    style: "patch",
    topic: text,
    personas: personas,
    memory: noMemory,
    rounds: [{ round: 1, turns }],
    summary,
    ...over,
  };
}

/** The material of a text. */
const materialOf = (text: string, language_code: "ko" | "en" = "en") => prepare({ text, language_code }, plain);

export function caseOf(
  text: string,
  first: Stage1,
  debate: DebateOutput | null = null,
  second: Stage2 | null = null,
  language_code: "ko" | "en" = "en",
) {
  const material = materialOf(text, language_code);
  return { text_id: "t1", source: text, material, stage1: first, debate, stage2: second, strikes: [] };
}
