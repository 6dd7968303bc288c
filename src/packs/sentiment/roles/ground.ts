/** Grounds replies in the text (sentiment spec §2 to §5): unknown items, words not in the text and non-evidence are struck and counted. */
import type { Problem } from "../../../contract/turn.ts";
import { problemWords } from "../prompts/read-prompts.ts";
import { type AspectMatcher, matchStage1 } from "../rules/matcher.ts";
import {
  findQuote,
  findTerm,
  findUnfit,
  findWord,
  isInside,
  listQuoted,
  overlaps,
  snapToWords,
  standsAsWord,
  toPlainForm,
} from "../rules/text.ts";
import { canonicalisePolarity, findMoveTarget, readVote, tupleKeyOf } from "../rules/tuples.ts";
import {
  type Edit,
  LabelSchema,
  operations,
  type Patch,
  type PatchJudgeReply,
  type PatchSummary,
  type PatchTurnReply,
  type StanceTurnReply,
} from "../schemas/debate.ts";
import type {
  AtsaInput,
  PatchJudgeInput,
  PatchSpeakerInput,
  ReviewInput,
  StanceSpeakerInput,
  ValidatorInput,
} from "../schemas/inputs.ts";
import type { Material } from "../schemas/material.ts";
import {
  type Aspect,
  type AteReply,
  type AtsaReply,
  proposalTypes,
  riskTypes,
  type Sentiment,
  severities,
  type StructuralRisk,
  type ValidatorReply,
} from "../schemas/stage1.ts";
import { type AteReviewReply, type AtsaReviewReply, aspectActions, sentimentActions } from "../schemas/stage2.ts";

export type Strike = { code: string; what: string; path?: (string | number)[] };

export type Grounded<O> = { reply: O; strikes: Strike[] };

export function toProblems(strikes: readonly Strike[]): Problem[] {
  return strikes.flatMap(({ code, what, path }): Problem[] => {
    const message = problemWords[code]?.replace("{what}", () => what);
    return message === undefined ? [] : [{ code, message, severity: "salvage", ...(path && { path }) }];
  });
}

type StrikeItem = (field: string, code: string, what: string | null) => null;

function sift<A, B>(list: string, items: readonly A[], read: (item: A, strike: StrikeItem, kept: B[]) => B | null) {
  const strikes: Strike[] = [];
  const kept: B[] = [];
  for (const [at, item] of items.entries()) {
    const strike: StrikeItem = (field, code, what) => {
      strikes.push({ code, what: what ?? "null", path: [list, at, ...(field === "" ? [] : [field])] });
      return null;
    };
    const one = read(item, strike, kept);
    if (one !== null) kept.push(one);
  }
  return { kept, strikes };
}

function isOneOf(words: readonly string[], word: string): boolean {
  return words.includes(word);
}

export function groundAspects(reply: AteReply, { material }: { material: Material }): Grounded<AteReply> {
  const { text } = material;
  const { kept, strikes } = sift<Aspect, Aspect>("aspects", reply.aspects, (aspect, strike, others) => {
    const given = aspect.term.normalize("NFC").trim();
    const { start } = aspect.span;
    const isRight = text.slice(start, aspect.span.end) === given && given !== "";
    const place = isRight ? aspect.span : findTerm(text, given, start);
    const word = isRight && standsAsWord(material, aspect.span) ? aspect.span : findWord(material, given, start);
    const span = word ?? (place && snapToWords(material, place));
    if (span === null) return strike("term", "aspect_not_substring", aspect.term);
    if (span.start !== start || span.end !== aspect.span.end) strike("span", "span_repaired", aspect.term);
    const term = text.slice(span.start, span.end);
    if (material.orders.some((order) => overlaps(order, span)))
      return strike("term", "aspect_of_an_order", aspect.term);
    if (others.some((other) => other.term === term && other.span.start === span.start))
      return strike("term", "aspect_repeated", aspect.term);
    return { ...aspect, term, span: { start: span.start, end: span.end } };
  });
  return { reply: { aspects: kept }, strikes };
}

export function groundSentiments(
  reply: AtsaReply,
  { material, aspects }: AtsaInput,
): Grounded<{ aspect_sentiments: Sentiment[] }> {
  const { text } = material;
  const matcher = matchStage1(material, { aspects });
  const { kept, strikes } = sift("aspect_sentiments", reply.aspect_sentiments, (one, strike): Sentiment | null => {
    const aspect_ref = findAnchor(one.aspect_ref.trim(), aspects, matcher);
    if (aspect_ref === null) return strike("aspect_ref", "sentiment_without_aspect", one.aspect_ref);
    const polarity = canonicalisePolarity(one.polarity);
    if (polarity === null && one.polarity !== null) strike("polarity", "polarity_invalid", one.polarity);
    const quote = findQuote(text, one.evidence);
    if (quote === null) strike("evidence", "evidence_not_in_text", one.evidence);
    const about = { aspect: aspect_ref, others: aspect_ref === "" ? matcher.terms : [], polarity: null };
    const unfit = quote ? findUnfit(material, quote, about) : null;
    if (unfit === "evidence_of_another_aspect") return strike("evidence", unfit, quote);
    const evidence = unfit === null ? quote : strike("evidence", unfit, quote);
    const term = one.opinion_term?.term.trim() ?? "";
    const given = one.opinion_term?.span ?? { start: 0, end: 0 };
    const span = text.slice(given.start, given.end) === term && term !== "" ? given : findTerm(text, term, given.start);
    if (term !== "" && span === null) strike("opinion_term", "opinion_not_substring", term);
    const opinion_term = span && { term: text.slice(span.start, span.end), span };
    const is_implicit = aspect_ref === "";
    return { ...one, aspect_ref, polarity, evidence: evidence ?? "", opinion_term, is_implicit };
  });
  return { reply: { aspect_sentiments: kept }, strikes };
}

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

export function groundValidator(
  reply: ValidatorReply,
  { material, aspects, aspect_sentiments }: ValidatorInput,
): Grounded<ValidatorReply> {
  const matcher = matchStage1(material, { aspects, aspect_sentiments });
  const risks = groundRisks(reply, { material });
  const { kept, strikes } = sift("correction_proposals", reply.correction_proposals, (proposal, strike) => {
    const { proposal_type, target_aspect, revised_span: span } = proposal;
    if (!isOneOf(proposalTypes, proposal_type)) return strike("proposal_type", "proposal_type_unknown", proposal_type);
    const { aspect } = matcher.resolve(target_aspect);
    if (aspect === null) return strike("target_aspect", "unknown_aspect", target_aspect);
    return { ...proposal, target_aspect: aspect, revised_span: span && isInside(material.text, span) ? span : null };
  });
  return { reply: { ...risks.reply, correction_proposals: kept }, strikes: [...risks.strikes, ...strikes] };
}

export function groundRisks<O extends { structural_risks: StructuralRisk[] }>(
  reply: O,
  { material: { text } }: { material: Material },
): Grounded<O> {
  const { kept, strikes } = sift("structural_risks", reply.structural_risks, (risk, strike) => {
    if (!isOneOf(riskTypes, risk.type)) return strike("type", "risk_type_unknown", risk.type);
    const scope = isInside(text, risk.scope) ? risk.scope : { start: 0, end: text.length };
    return { ...risk, scope, severity: isOneOf(severities, risk.severity) ? risk.severity : "medium" };
  });
  return { reply: { ...reply, structural_risks: kept }, strikes };
}

/** The aspect that a name stands for, "" for the text as a whole; null if there is none. */
function resolveOrWhole(matcher: AspectMatcher, name: string): string | null {
  return name.trim() === "" ? "" : matcher.resolve(name).aspect;
}

export function groundEdits<E extends Edit | Patch>(
  list: string,
  edits: readonly E[],
  material: Material,
  matcher: AspectMatcher,
): { kept: E[]; strikes: Strike[] } {
  return sift(list, edits, (edit, strike): E | null => {
    const { op, value } = edit;
    if (!isOneOf(operations, op)) return strike("op", "unknown_op", op);
    const aspect = resolveOrWhole(matcher, edit.target.aspect_ref);
    if (aspect === null) return strike("target", "unknown_aspect", edit.target.aspect_ref);
    const grounded = { ...edit, target: { ...edit.target, aspect_ref: aspect } };
    if ((op === "set_aspect_ref" || op === "merge_tuples") && findMoveTarget(grounded, matcher) === null)
      return strike("value", "unknown_aspect", value ?? "");
    if (!("evidence" in edit)) return grounded;
    const { polarity, invalid } = readVote(grounded);
    if (invalid) strike("value", "polarity_invalid", value ?? edit.target.polarity);
    const words = edit.evidence ?? "";
    const quote = findQuote(material.text, words);
    if (quote === null) return strike("evidence", "evidence_not_in_text", words);
    const unfit = quote === "" ? null : findUnfit(material, quote, { aspect, others: matcher.terms, polarity });
    if (unfit !== null) return strike("evidence", unfit, quote);
    return { ...grounded, evidence: quote || null };
  });
}

export function groundTurn(
  reply: PatchTurnReply,
  { material, stage1, persona, key }: PatchSpeakerInput,
): Grounded<PatchTurnReply> {
  const matcher = matchStage1(material, stage1);
  const { kept, strikes } = groundEdits("proposed_edits", reply.proposed_edits, material, matcher);
  return {
    reply: { agent: persona.name, proposed_edits: kept },
    strikes: [...checkSpeaker("agent", reply.agent, key, persona.name), ...strikes],
  };
}

export function groundSpeech(
  reply: StanceTurnReply,
  { material, persona, key }: StanceSpeakerInput,
): Grounded<StanceTurnReply> {
  const points = sift("key_points", reply.key_points, (point, strike) => {
    const invented = listQuoted(point).find((words) => findQuote(material.text, words) === null);
    return invented === undefined ? point : strike("", "evidence_not_in_text", invented);
  });
  return {
    reply: { ...reply, key_points: points.kept, speaker: persona.name, stance: persona.stance ?? null },
    strikes: [...checkSpeaker("speaker", reply.speaker, key, persona.name), ...points.strikes],
  };
}

function checkSpeaker(field: string, said: string | null, key: string, name: string): Strike[] {
  const own = [key, name].map((one) => one.toLowerCase());
  if (said === null || said.trim() === "" || own.includes(said.trim().toLowerCase())) return [];
  return [{ code: "wrong_speaker", what: said, path: [field] }];
}

export function groundJudge(
  reply: PatchJudgeReply,
  { material, stage1 }: Pick<PatchJudgeInput, "material" | "stage1">,
): Grounded<PatchJudgeReply> {
  const matcher = matchStage1(material, stage1);
  const quote = (span: string) => (span.trim() === "" ? null : findQuote(material.text, span));
  const patch = groundEdits("final_patch", reply.final_patch, material, matcher);
  const tuples = sift("final_tuples", reply.final_tuples, (tuple, strike) => {
    const aspect_ref = resolveOrWhole(matcher, tuple.aspect_ref);
    const polarity = canonicalisePolarity(tuple.polarity);
    if (aspect_ref === null) return strike("aspect_ref", "unknown_aspect", tuple.aspect_ref);
    return polarity === null ? strike("polarity", "polarity_invalid", tuple.polarity) : { aspect_ref, polarity };
  });
  const final_tuples = [...new Map(tuples.kept.map((tuple) => [tupleKeyOf(tuple), tuple])).values()];
  const spans = sift(
    "sentence_evidence_spans",
    reply.sentence_evidence_spans,
    (span, strike) => quote(span) ?? strike("", "span_not_in_text", span),
  );
  const evidence = sift("aspect_evidence", reply.aspect_evidence ?? [], ({ aspect: term, span }, strike) => {
    const aspect = resolveOrWhole(matcher, term);
    if (aspect === null) return strike("aspect", "unknown_aspect", term);
    const words = quote(span);
    return words === null ? strike("span", "span_not_in_text", span) : { aspect, span: words };
  });
  const said = reply.sentence_polarity?.trim().toLowerCase() ?? null;
  const label = LabelSchema.nullable().safeParse(canonicalisePolarity(said) ?? said);
  const strikes = [...patch.strikes, ...tuples.strikes, ...spans.strikes];
  const strike = (code: string, what: string, field: string) => void strikes.push({ code, what, path: [field] });
  if (!label.success) strike("label_invalid", said ?? "", "sentence_polarity");
  if (reply.sentence_evidence_spans.length === 0) strike("no_evidence_span", "", "sentence_evidence_spans");
  return {
    reply: {
      ...reply,
      sentence_evidence_spans: spans.kept,
      aspect_evidence: evidence.kept,
      final_patch: patch.kept,
      final_tuples,
      sentence_polarity: label.data ?? null,
    },
    strikes: [...strikes, ...evidence.strikes],
  };
}

export function toSummary(reply: PatchJudgeReply): PatchSummary {
  const evidence = (reply.aspect_evidence ?? []).map(({ aspect, span }) => [aspect, span] as const);
  return {
    ...reply,
    aspect_evidence: Object.fromEntries(evidence.toReversed()),
    final_tuples: reply.final_tuples.flatMap(({ aspect_ref, polarity: word }) => {
      const polarity = canonicalisePolarity(word);
      return polarity ? [{ aspect_ref, aspect_term: aspect_ref, polarity }] : [];
    }),
    sentence_polarity: LabelSchema.nullable().catch(null).parse(reply.sentence_polarity),
  };
}

export function groundAspectReviews(
  reply: AteReviewReply,
  { material, stage1 }: ReviewInput,
): Grounded<AteReviewReply> {
  const matcher = matchStage1(material, stage1);
  const { kept, strikes } = sift("aspect_review", reply.aspect_review, (review, strike) => {
    if (!isOneOf(aspectActions, review.action)) return strike("action", "unknown_action", review.action);
    const { aspect: term } = matcher.resolve(review.term);
    return term === null ? strike("term", "unknown_aspect", review.term) : { ...review, term };
  });
  return { reply: { aspect_review: kept }, strikes };
}

export function groundSentimentReviews(
  reply: AtsaReviewReply,
  { material, stage1 }: ReviewInput,
): Grounded<AtsaReviewReply> {
  const matcher = matchStage1(material, stage1);
  const { kept, strikes } = sift("sentiment_review", reply.sentiment_review, (review, strike) => {
    const { revised_polarity, action } = review;
    if (!isOneOf(sentimentActions, action)) return strike("action", "unknown_action", action);
    const aspect_ref = resolveOrWhole(matcher, review.aspect_ref);
    if (aspect_ref === null) return strike("aspect_ref", "unknown_aspect", review.aspect_ref);
    if (revised_polarity !== null && canonicalisePolarity(revised_polarity) === null)
      return strike("revised_polarity", "polarity_invalid", revised_polarity);
    const quote = findQuote(material.text, review.evidence ?? "");
    if (quote === null) return strike("evidence", "evidence_not_in_text", review.evidence);
    return { ...review, aspect_ref, evidence: quote || null };
  });
  return { reply: { sentiment_review: kept }, strikes };
}
