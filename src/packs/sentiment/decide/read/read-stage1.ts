import type { Language } from "../../language/language.ts";
import { canonicalPolarity } from "../../canonical-polarity.ts";
import { stage1Terms } from "../../review/review-context.ts";
import type { Aspect, PolarityDistribution, SentimentReply, Stage1 } from "../../schemas/stage1.ts";
import { groundAspects } from "../../stage1/ground-aspects.ts";
import { groundSentiments } from "../../stage1/ground-sentiments.ts";
import { aspectMatcher } from "../../text/aspect-matcher.ts";
import { findTerm } from "../../text/find-term.ts";
import { confidenceOf, isLoose, listAt, type Loose, spanOf, type Tally, textOf, wordAt, wordOfKeys } from "./loose.ts";
import { readValidator } from "./read-validator.ts";
import { stagePart } from "./trace-stages.ts";

const aspectKeys = ["aspects", "stage1_aspects"];
const sentimentKeys = ["aspect_sentiments", "stage1_aspect_sentiments", "sentiments", "stage1_tuples", "tuples"];
const termKeys = ["term", "aspect_term", "aspect_ref", "aspect"];
const refKeys = ["aspect_ref", "aspect_term", "aspect", "term", "target"];
const unstatedConfidence = 0.5;

/** Reads Stage 1 as it was recorded; aliases are accepted, what cannot be used is counted. */
export function readStage1(raw: unknown, text: string, language: Language, tally: Tally): Stage1 {
  const part = namedParts(stagePart(raw, "stage1"));
  const said = (listAt(part, sentimentKeys) ?? []).filter((item) => keepObject(item, tally)) as Loose[];
  const given = (listAt(part, aspectKeys) ?? []).flatMap((item) => readAspect(item, text, tally));
  const candidates = given.length > 0 ? given : said.flatMap((item) => aspectOfSentiment(item, text));
  const { aspects, strikes } = groundAspects(text, candidates);
  const terms = [...new Set(aspects.map((aspect) => aspect.term))];
  const matcher = aspectMatcher(text, terms, language);
  const replies = said.map((item) =>
    readSentiment(item, text, (word) => matcher.resolve(word).how === "stage1", tally),
  );
  const grounded = groundSentiments(text, aspects, replies, matcher);
  for (const { code } of [...strikes, ...grounded.strikes]) tally.add(code);
  const stage1 = { aspects, aspect_sentiments: grounded.sentiments, validator: null };
  const all = aspectMatcher(text, stage1Terms(stage1), language);
  return { ...stage1, validator: readValidator(part, text, all, tally) };
}

/** `{ ate: […], atsa: […] }` holds the lists themselves. */
function namedParts(part: unknown): unknown {
  if (!isLoose(part)) return part;
  const named: Loose = { ...part };
  for (const [key, value] of Object.entries(part)) {
    const name = key.toLowerCase().replace(/^stage1_/, "");
    if (name === "ate" && Array.isArray(value)) named.aspects ??= value;
    if (name === "atsa" && Array.isArray(value)) named.aspect_sentiments ??= value;
  }
  return named;
}

function keepObject(item: unknown, tally: Tally): boolean {
  if (isLoose(item)) return true;
  tally.add("item_unreadable");
  return false;
}

function readAspect(item: unknown, text: string, tally: Tally): Aspect[] {
  const term = typeof item === "string" ? item : isLoose(item) ? wordOfKeys(item, termKeys) : null;
  if (term === null) {
    tally.add("aspect_without_term");
    return [];
  }
  const from: Loose = isLoose(item) ? item : {};
  return [
    {
      term,
      span: spanOf(text, from.span) ?? findTerm(text, term) ?? { start: 0, end: 0 },
      normalized: wordAt(from.normalized),
      syntactic_head: wordAt(from.syntactic_head),
      confidence: confidenceOf(from.confidence, unstatedConfidence),
      rationale: textOf(from.rationale),
    },
  ];
}

/** Where no aspects were recorded, the sentiments name them. */
function aspectOfSentiment(item: Loose, text: string): Aspect[] {
  const words = refKeys.flatMap((key) => wordAt(item[key]) ?? []);
  const term = words.find((word) => findTerm(text, word.trim()) !== null);
  const span = term === undefined ? null : findTerm(text, term.trim());
  if (term === undefined || span === null) return [];
  const confidence = confidenceOf(item.confidence, unstatedConfidence);
  return [{ term: term.trim(), span, normalized: null, syntactic_head: null, confidence, rationale: "" }];
}

function readSentiment(item: Loose, text: string, isKnown: (word: string) => boolean, tally: Tally): SentimentReply {
  const words = refKeys.flatMap((key) => wordAt(item[key]) ?? []).filter((word) => word.trim() !== "");
  const ref = words.find((word) => isKnown(word.trim())) ?? words[0] ?? "";
  const opinion = wordAt(item.opinion_term)?.trim() ?? "";
  const opinionSpan = isLoose(item.opinion_term) ? spanOf(text, item.opinion_term.span) : null;
  return {
    aspect_ref: ref.trim(),
    polarity: readPolarity(item, text, tally),
    opinion_term:
      opinion === "" ? null : { term: opinion, span: opinionSpan ?? findTerm(text, opinion) ?? { start: 0, end: 0 } },
    evidence: textOf(item.evidence),
    confidence: confidenceOf(item.confidence, unstatedConfidence),
    polarity_distribution: readDistribution(item.polarity_distribution),
    is_implicit: item.is_implicit === true || ref.trim() === "",
  };
}

/** The stated polarity; a neutral that was only filled in for a missing sentiment is missing. */
function readPolarity(item: Loose, text: string, tally: Tally): string | null {
  const word = wordAt(item.polarity ?? item.sentiment ?? item.label);
  if (canonicalPolarity(word) !== "neutral") return word;
  const filled =
    item.is_backfilled === true ||
    (typeof item.neutral_reason === "string" && /missing|placeholder|backfill/i.test(item.neutral_reason)) ||
    (item.confidence === unstatedConfidence && textOf(item.evidence).trim() === text.trim());
  if (filled) tally.add("backfilled_neutral_read_as_missing");
  return filled ? null : word;
}

function readDistribution(value: unknown): PolarityDistribution | null {
  if (!isLoose(value)) return null;
  const distribution = { positive: 0, negative: 0, neutral: 0 };
  for (const [key, share] of Object.entries(value)) {
    const polarity = canonicalPolarity(key);
    if (polarity !== null && typeof share === "number" && Number.isFinite(share)) distribution[polarity] += share;
  }
  return distribution;
}
