/** Grounds replies in the text (sentiment spec §2 to §5): what is unknown, not in the text or no evidence is struck and counted. */
import type { Problem } from "../../../contract/turn.ts";
import { type AspectMatcher, matchStage1 } from "../rules/matcher.ts";
import {
  findQuote,
  findTerm,
  findUnfit,
  findWord,
  isInside,
  snapToWords,
  standsAsWord,
  toPlainForm,
} from "../rules/text.ts";
import { canonicalisePolarity, findMoveTarget, readVote } from "../rules/tuples.ts";
import {
  type Edit,
  LabelSchema,
  operations,
  type Patch,
  type PatchJudgeReply,
  type PatchSummary,
  type PatchTurnReply,
  type Tuple,
} from "../schemas/debate.ts";
import type { AtsaInput, PatchJudgeInput, PatchSpeakerInput, ReviewInput, ValidatorInput } from "../schemas/inputs.ts";
import type { Material } from "../schemas/material.ts";
import {
  type Aspect,
  type AteReply,
  type AtsaReply,
  proposalTypes,
  riskTypes,
  type Sentiment,
  severities,
  type Span,
  type StructuralRisk,
  type ValidatorReply,
} from "../schemas/stage1.ts";
import {
  type AspectReview,
  type AteReviewReply,
  type AtsaReviewReply,
  aspectActions,
  type SentimentReview,
  sentimentActions,
} from "../schemas/stage2.ts";

/** Something that was struck or repaired on the way in, with the word it concerned. */
export type Strike = { code: string; what: string; path?: (string | number)[] };

/** What is left of a reply, and what was struck of it. */
export type Grounded<O> = { reply: O; strikes: Strike[] };

/** A reply of which something was struck: salvage writes down what, so that it is counted; no player can. */
export type Struck = { struck?: Strike[] };

const explanations: Record<string, (what: string) => string> = {
  aspect_not_substring: (what) => `"${what}" is not a word of the text; copy the term exactly or leave it out`,
  sentiment_without_aspect: (what) => `"${what}" is not one of the given aspects`,
  polarity_invalid: (what) => `"${what}" is not positive, negative, neutral or null`,
  opinion_not_substring: (what) => `the opinion term "${what}" is not in the text`,
  risk_type_unknown: (what) => `"${what}" is not a known risk type`,
  proposal_type_unknown: (what) => `"${what}" is not FLIP_POLARITY, DROP_ASPECT or REVISE_SPAN`,
  unknown_aspect: (what) => `"${what}" is neither a Stage 1 aspect nor a word of the text`,
  unknown_op: (what) => `"${what}" is not an op; use ${operations.join(", ")}`,
  unknown_action: (what) => `"${what}" is not an action of this review`,
  evidence_not_in_text: (what) => `the evidence "${what}" is not in the text; copy it exactly`,
  evidence_is_an_order: (what) => `"${what}" is addressed to whoever reads the text; it is no evidence of an opinion`,
  evidence_of_another_aspect: (what) => `"${what}" is said of another aspect; quote the words about this one`,
  evidence_says_otherwise: (what) => `"${what}" reads as the opposite; quote the words that carry your polarity`,
  span_not_in_text: (what) => `the span "${what}" is not in the text; copy it exactly`,
  span_cuts_a_word: (what) => `the span "${what}" cuts a word; a span goes from word to word`,
  no_evidence_span: () => "at least one span of the text must support the sentence polarity",
  patch_contradicts_tuples: (what) =>
    `${what}; final_tuples must be what final_patch leads to, with one polarity for each aspect`,
  label_invalid: (what) => `"${what}" is not positive, negative, neutral or mixed`,
  unknown_speaker: (what) => `"${what}" is not one of the speakers; name one of them or give null`,
  wrong_speaker: (what) => `you are not "${what}"; speak for your own persona`,
};

/** Strikes as problems of a reply that can be salvaged; what the rules repair silently is no problem. */
export function toProblems(strikes: readonly Strike[]): Problem[] {
  return strikes.flatMap(({ code, what, path }): Problem[] => {
    const explain = explanations[code];
    return explain ? [{ code, message: explain(what), severity: "salvage", ...(path ? { path } : {}) }] : [];
  });
}

/** The word, when it is one of a closed list; how it is spelt was mended by the schema. */
function readChoice(words: readonly string[], word: string): string | null {
  return words.includes(word) ? word : null;
}

/** Collects strikes while items are read; an item that is struck is left out. */
function openStrikes(list: string) {
  const strikes: Strike[] = [];
  return {
    strikes,
    strike: (at: number, field: string, code: string, what: string): [] => {
      strikes.push({ code, what, path: [list, at, field] });
      return [];
    },
    note: (code: string, what: string) => void strikes.push({ code, what }),
  };
}

/** Keeps the aspects whose term is a word of the text (PJ1): a wrong span moves to the nearest occurrence, a term that misses a letter is completed. */
export function groundAspects(material: Material, reply: AteReply): Grounded<AteReply> {
  const { strikes, strike, note } = openStrikes("aspects");
  const aspects: Aspect[] = [];
  for (const [at, aspect] of reply.aspects.entries()) {
    const term = aspect.term.normalize("NFC").trim();
    const isRight = material.text.slice(aspect.span.start, aspect.span.end) === term && term !== "";
    const place = isRight ? aspect.span : findTerm(material.text, term, aspect.span.start);
    const word =
      isRight && standsAsWord(material, aspect.span) ? aspect.span : findWord(material, term, aspect.span.start);
    const span = word ?? (place && snapToWords(material, place));
    if (span === null) {
      strike(at, "term", "aspect_not_substring", aspect.term);
      continue;
    }
    if (span.start !== aspect.span.start || span.end !== aspect.span.end) note("span_repaired", aspect.term);
    const grounded = {
      ...aspect,
      term: material.text.slice(span.start, span.end),
      span: { start: span.start, end: span.end },
    };
    if (aspects.some((other) => other.term === grounded.term && other.span.start === span.start))
      note("aspect_repeated", aspect.term);
    else aspects.push(grounded);
  }
  return { reply: { aspects }, strikes };
}

/** Keeps the sentiments that belong to a kept aspect or to the implicit one; an invalid polarity becomes missing. */
export function groundSentiments(
  reply: AtsaReply,
  { material, aspects }: AtsaInput,
): Grounded<{ aspect_sentiments: Sentiment[] }> {
  const { strikes, strike } = openStrikes("aspect_sentiments");
  const { text } = material;
  const matcher = matchStage1(material, { aspects });
  const aspect_sentiments = reply.aspect_sentiments.flatMap((sentiment, at): Sentiment[] => {
    const ref = findAnchor(sentiment.aspect_ref.trim(), aspects, matcher);
    if (ref === null) return strike(at, "aspect_ref", "sentiment_without_aspect", sentiment.aspect_ref);
    const polarity = canonicalisePolarity(sentiment.polarity);
    if (polarity === null && sentiment.polarity !== null)
      strike(at, "polarity", "polarity_invalid", sentiment.polarity);
    const evidence = findQuote(text, sentiment.evidence);
    if (evidence === null) strike(at, "evidence", "evidence_not_in_text", sentiment.evidence);
    const opinion = sentiment.opinion_term;
    const place = opinion && placeOpinion(text, opinion);
    if (opinion && opinion.term.trim() !== "" && !place)
      strike(at, "opinion_term", "opinion_not_substring", opinion.term);
    const opinion_term = place ? { term: text.slice(place.start, place.end), span: place } : null;
    return [
      { ...sentiment, aspect_ref: ref, polarity, evidence: evidence ?? "", opinion_term, is_implicit: ref === "" },
    ];
  });
  return { reply: { aspect_sentiments }, strikes };
}

/** The kept aspect a sentiment is about: by normal form, else the one that contains its term or is contained in it. */
function findAnchor(term: string, aspects: readonly Aspect[], matcher: AspectMatcher): string | null {
  if (term === "") return "";
  const match = matcher.resolve(term);
  if (match.how === "stage1" || match.how === "synonym") return match.aspect;
  const plain = toPlainForm(term);
  const near = aspects.filter((aspect) => {
    const other = toPlainForm(aspect.term);
    return other !== "" && plain !== "" && (plain.includes(other) || other.includes(plain));
  });
  return new Set(near.map((aspect) => aspect.term)).size === 1 ? (near[0]?.term ?? null) : null;
}

function placeOpinion(text: string, { term, span }: { term: string; span: Span }): Span | null {
  const words = term.trim();
  return text.slice(span.start, span.end) === words && words !== "" ? span : findTerm(text, words, span.start);
}

/** Keeps known risk types and proposals on known aspects; a scope outside the text becomes the whole text. */
export function groundValidator(
  reply: ValidatorReply,
  { material, aspects, aspect_sentiments }: ValidatorInput,
): Grounded<ValidatorReply> {
  const { strikes, strike } = openStrikes("correction_proposals");
  const matcher = matchStage1(material, { aspects, aspect_sentiments });
  const risks = groundRisks(material, reply.structural_risks);
  const correction_proposals = reply.correction_proposals.flatMap((proposal, at) => {
    const type = readChoice(proposalTypes, proposal.proposal_type);
    if (type === null) return strike(at, "proposal_type", "proposal_type_unknown", proposal.proposal_type);
    const { aspect } = matcher.resolve(proposal.target_aspect);
    if (aspect === null) return strike(at, "target_aspect", "unknown_aspect", proposal.target_aspect);
    const span = proposal.revised_span;
    const revised_span = span && isInside(material.text, span) ? span : null;
    return [{ ...proposal, proposal_type: type, target_aspect: aspect, revised_span }];
  });
  return {
    reply: { ...reply, structural_risks: risks.reply, correction_proposals },
    strikes: [...risks.strikes, ...strikes],
  };
}

export function groundRisks({ text }: Material, risks: readonly StructuralRisk[]): Grounded<StructuralRisk[]> {
  const { strikes, strike } = openStrikes("structural_risks");
  const reply = risks.flatMap((risk, at): StructuralRisk[] => {
    const type = readChoice(riskTypes, risk.type);
    if (type === null) return strike(at, "type", "risk_type_unknown", risk.type);
    const scope = isInside(text, risk.scope) ? risk.scope : { start: 0, end: text.length };
    const severity = readChoice(severities, risk.severity) ?? "medium";
    return [{ ...risk, type, severity, scope }];
  });
  return { reply, strikes };
}

/** Keeps the edits with a known op on a known aspect; one whose quote is not in the text or no evidence for it goes with its quote. */
export function groundEdits<E extends Edit | Patch>(
  list: string,
  edits: readonly E[],
  material: Material,
  matcher: AspectMatcher,
): { kept: E[]; strikes: Strike[] } {
  const { strikes, strike } = openStrikes(list);
  const kept = edits.flatMap((edit, at): E[] => {
    const op = readChoice(operations, edit.op);
    if (op === null) return strike(at, "op", "unknown_op", edit.op);
    const named = edit.target.aspect_ref.trim();
    const aspect = named === "" ? "" : matcher.resolve(named).aspect;
    if (aspect === null) return strike(at, "target", "unknown_aspect", named);
    const grounded = { ...edit, op, target: { ...edit.target, aspect_ref: aspect } };
    if ((op === "set_aspect_ref" || op === "merge_tuples") && findMoveTarget(grounded, matcher) === null)
      return strike(at, "value", "unknown_aspect", edit.value ?? "");
    if (!("evidence" in edit)) return [grounded];
    const { polarity, invalid } = readVote(grounded);
    if (invalid) strike(at, "value", "polarity_invalid", edit.value ?? edit.target.polarity ?? "null");
    const words = edit.evidence ?? "";
    const quote = findQuote(material.text, words);
    if (quote === null) return strike(at, "evidence", "evidence_not_in_text", words);
    const unfit = quote === "" ? null : findUnfit(material, quote, { aspect, others: matcher.terms, polarity });
    if (unfit !== null) return strike(at, "evidence", unfit, quote);
    return [{ ...grounded, evidence: quote === "" ? null : quote }];
  });
  return { kept, strikes };
}

export function groundTurn(
  reply: PatchTurnReply,
  { material, stage1, persona, key }: PatchSpeakerInput,
): Grounded<PatchTurnReply> {
  const { kept, strikes } = groundEdits(
    "proposed_edits",
    reply.proposed_edits,
    material,
    matchStage1(material, stage1),
  );
  return {
    reply: { agent: persona.name, proposed_edits: kept },
    strikes: [...checkSpeaker("agent", reply.agent, key, persona.name), ...strikes],
  };
}

/** A strike when a speaker calls itself by another's name. */
export function checkSpeaker(field: string, said: string | null, key: string, name: string): Strike[] {
  const own = [key, name].map((one) => one.toLowerCase());
  if (said === null || said.trim() === "" || own.includes(said.trim().toLowerCase())) return [];
  return [{ code: "wrong_speaker", what: said, path: [field] }];
}

/** The judge's summary as it is kept: canonical, on known aspects, with spans of the text. */
export function groundSummary(
  reply: PatchJudgeReply,
  { material, stage1 }: Pick<PatchJudgeInput, "material" | "stage1">,
): { summary: PatchSummary; strikes: Strike[] } {
  const matcher = matchStage1(material, stage1);
  const patch = groundEdits("final_patch", reply.final_patch, material, matcher);
  const strikes = [...patch.strikes];
  const label = canonicalisePolarity(reply.sentence_polarity) ?? reply.sentence_polarity?.trim().toLowerCase() ?? null;
  const parsed = LabelSchema.safeParse(label);
  if (label !== null && !parsed.success)
    strikes.push({ code: "label_invalid", what: label, path: ["sentence_polarity"] });
  const final_tuples = groundTuples(reply, matcher, strikes);
  const sentence_evidence_spans = reply.sentence_evidence_spans.flatMap((span, at) => {
    const quote = span.trim() === "" ? null : matcher.quote(span);
    if (quote === null) strikes.push({ code: "span_not_in_text", what: span, path: ["sentence_evidence_spans", at] });
    return quote ?? [];
  });
  if (reply.sentence_evidence_spans.length === 0)
    strikes.push({ code: "no_evidence_span", what: "", path: ["sentence_evidence_spans"] });
  /** What was struck may be what was missing, so it is asked for first. */
  for (const what of strikes.length > 0 ? [] : findContradictions(patch.kept, final_tuples, matcher))
    strikes.push({ code: "patch_contradicts_tuples", what, path: ["final_tuples"] });
  return {
    summary: {
      final_patch: patch.kept,
      final_tuples,
      unresolved_conflicts: reply.unresolved_conflicts,
      sentence_polarity: parsed.success ? parsed.data : null,
      sentence_evidence_spans,
      aspect_evidence: groundEvidence(reply, matcher, strikes),
      rationale: reply.rationale,
    },
    strikes,
  };
}

function groundTuples(reply: PatchJudgeReply, matcher: AspectMatcher, strikes: Strike[]): Tuple[] {
  const tuples = new Map<string, Tuple>();
  for (const [at, tuple] of reply.final_tuples.entries()) {
    const path = (field: string) => ["final_tuples", at, field];
    const { aspect } = matcher.resolve(tuple.aspect_ref);
    const polarity = canonicalisePolarity(tuple.polarity);
    if (aspect === null && tuple.aspect_ref.trim() !== "")
      strikes.push({ code: "unknown_aspect", what: tuple.aspect_ref, path: path("aspect_ref") });
    else if (polarity === null)
      strikes.push({ code: "polarity_invalid", what: tuple.polarity ?? "null", path: path("polarity") });
    else {
      const term = aspect ?? "";
      tuples.set(`${term}\u0000${polarity}`, { aspect_ref: term, aspect_term: term, polarity });
    }
  }
  return [...tuples.values()];
}

function groundEvidence(reply: PatchJudgeReply, matcher: AspectMatcher, strikes: Strike[]): Record<string, string> {
  const evidence = new Map<string, string>();
  for (const [at, { aspect, span }] of (reply.aspect_evidence ?? []).entries()) {
    const known = aspect.trim() === "" ? "" : matcher.resolve(aspect).aspect;
    const quote = span.trim() === "" ? null : matcher.quote(span);
    if (known === null) strikes.push({ code: "unknown_aspect", what: aspect, path: ["aspect_evidence", at, "aspect"] });
    else if (quote === null)
      strikes.push({ code: "span_not_in_text", what: span, path: ["aspect_evidence", at, "span"] });
    else if (!evidence.has(known)) evidence.set(known, quote);
  }
  return Object.fromEntries(evidence);
}

/** The edits of a judge's patch that its own tuples deny; an aspect that only the tuples name is no contradiction. */
function findContradictions(patch: readonly Patch[], tuples: readonly Tuple[], matcher: AspectMatcher): string[] {
  const said = (aspect: string) => tuples.filter((tuple) => tuple.aspect_ref === aspect).map((tuple) => tuple.polarity);
  const describe = (aspect: string, edited: string) =>
    `"${aspect}": ${edited} in final_patch, ${said(aspect).join(" and ") || "nothing"} in final_tuples`;
  const isGone = (aspect: string) =>
    patch.some(
      ({ op, target }) => target.aspect_ref === aspect && /^(drop_tuple|set_aspect_ref|merge_tuples)$/.test(op),
    );
  const found = patch.flatMap((edit): string[] => {
    const { aspect_ref: aspect } = edit.target;
    const own = said(aspect);
    const to = findMoveTarget(edit, matcher);
    if (to !== null) return to !== aspect && own.length > 0 ? [describe(aspect, `renamed to ${to}`)] : [];
    const { polarity, removal, removes } = readVote(edit);
    if (removal) return own.some((one) => removes === null || removes === one) ? [describe(aspect, "dropped")] : [];
    if (polarity === null || own.includes(polarity) || isGone(aspect)) return [];
    return own.length > 0 || polarity !== "neutral" ? [describe(aspect, polarity)] : [];
  });
  const torn = [...new Set(tuples.map((tuple) => tuple.aspect_ref))].filter((aspect) => said(aspect).length > 1);
  return [...found, ...torn.map((aspect) => describe(aspect, "one polarity"))];
}

/** Keeps the aspect reviews with a known action on a known aspect. */
export function groundAspectReviews(
  reply: AteReviewReply,
  { material, stage1 }: ReviewInput,
): Grounded<AteReviewReply> {
  const { strikes, strike } = openStrikes("aspect_review");
  const matcher = matchStage1(material, stage1);
  const aspect_review = reply.aspect_review.flatMap((review, at): AspectReview[] => {
    const action = readChoice(aspectActions, review.action);
    if (action === null) return strike(at, "action", "unknown_action", review.action);
    if (matcher.resolve(review.term).aspect === null) return strike(at, "term", "unknown_aspect", review.term);
    return [{ ...review, action }];
  });
  return { reply: { aspect_review }, strikes };
}

/** Keeps the sentiment reviews with a known action and polarity on a known aspect. */
export function groundSentimentReviews(
  reply: AtsaReviewReply,
  { material, stage1 }: ReviewInput,
): Grounded<AtsaReviewReply> {
  const { strikes, strike } = openStrikes("sentiment_review");
  const matcher = matchStage1(material, stage1);
  const sentiment_review = reply.sentiment_review.flatMap((review, at): SentimentReview[] => {
    const { aspect_ref, revised_polarity } = review;
    const action = readChoice(sentimentActions, review.action);
    if (action === null) return strike(at, "action", "unknown_action", review.action);
    if (aspect_ref.trim() !== "" && matcher.resolve(aspect_ref).aspect === null)
      return strike(at, "aspect_ref", "unknown_aspect", aspect_ref);
    if (revised_polarity !== null && canonicalisePolarity(revised_polarity) === null)
      return strike(at, "revised_polarity", "polarity_invalid", revised_polarity);
    const quote = findQuote(material.text, review.evidence ?? "");
    if (quote === null) return strike(at, "evidence", "evidence_not_in_text", review.evidence ?? "");
    return [{ ...review, action, evidence: quote || null }];
  });
  return { reply: { sentiment_review }, strikes };
}
