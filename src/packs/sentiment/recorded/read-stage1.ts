import { isRecord } from "../../../text/is-record.ts";
import type { LanguageCode } from "../../../knowledge/opinions/index.ts";
import { canonicalisePolarity } from "../rules/tuples/canonical-polarity.ts";
import type { Aspect, PolarityDistribution, SentimentReply, Stage1 } from "../schemas/stage1.ts";
import { groundAspects } from "../roles/stage1/ground-aspects.ts";
import { groundSentiments } from "../roles/stage1/ground-sentiments.ts";
import { createStage1Matcher } from "../rules/tuples/aspect-matcher.ts";
import { findTerm } from "../rules/tuples/find-term.ts";
import { readConfidence, findList, readSpan, type Tally, readText, readWord, findWord } from "./loose.ts";
import { readValidator } from "./read-validator.ts";
import { cutStage } from "./trace-stages.ts";

const aspectKeys = ["aspects", "stage1_aspects"];
const sentimentKeys = ["aspect_sentiments", "stage1_aspect_sentiments", "sentiments", "stage1_tuples", "tuples"];
const termKeys = ["term", "aspect_term", "aspect_ref", "aspect"];
const refKeys = ["aspect_ref", "aspect_term", "aspect", "term", "target"];
const unstatedConfidence = 0.5;

/** Reads Stage 1 as it was recorded; aliases are accepted, what cannot be used is counted. */
export function readStage1(raw: unknown, input: { text: string; language_code: LanguageCode }, tally: Tally): Stage1 {
  const { text } = input;
  const part = nameParts(cutStage(raw, "stage1"));
  const said = (findList(part, sentimentKeys) ?? []).filter((item) => keepRecord(item, tally)) as Record<
    string,
    unknown
  >[];
  const given = (findList(part, aspectKeys) ?? []).flatMap((item) => readAspect(item, text, tally));
  const candidates = given.length > 0 ? given : said.flatMap((item) => readAspectOfSentiment(item, text));
  const { aspects, strikes } = groundAspects(text, candidates);
  const matcher = createStage1Matcher(input, { aspects });
  const replies = said.map((item) =>
    readSentiment(item, text, (word) => matcher.resolve(word).how === "stage1", tally),
  );
  const grounded = groundSentiments(text, aspects, replies, matcher);
  for (const { code } of [...strikes, ...grounded.strikes]) tally.add(code);
  const stage1 = { aspects, aspect_sentiments: grounded.sentiments, validator: null };
  return { ...stage1, validator: readValidator(part, text, createStage1Matcher(input, stage1), tally) };
}

/** `{ ate: […], atsa: […] }` holds the lists themselves. */
function nameParts(part: unknown): unknown {
  if (!isRecord(part)) return part;
  const named: Record<string, unknown> = { ...part };
  for (const [key, value] of Object.entries(part)) {
    const name = key.toLowerCase().replace(/^stage1_/, "");
    if (name === "ate" && Array.isArray(value)) named.aspects ??= value;
    if (name === "atsa" && Array.isArray(value)) named.aspect_sentiments ??= value;
  }
  return named;
}

function keepRecord(item: unknown, tally: Tally): boolean {
  if (isRecord(item)) return true;
  tally.add("item_unreadable");
  return false;
}

function readAspect(item: unknown, text: string, tally: Tally): Aspect[] {
  const term = typeof item === "string" ? item : isRecord(item) ? findWord(item, termKeys) : null;
  if (term === null) {
    tally.add("aspect_without_term");
    return [];
  }
  const from: Record<string, unknown> = isRecord(item) ? item : {};
  return [
    {
      term,
      span: readSpan(text, from.span) ?? findTerm(text, term) ?? { start: 0, end: 0 },
      normalized: readWord(from.normalized),
      syntactic_head: readWord(from.syntactic_head),
      confidence: readConfidence(from.confidence, unstatedConfidence),
      rationale: readText(from.rationale),
    },
  ];
}

/** Where no aspects were recorded, the sentiments name them. */
function readAspectOfSentiment(item: Record<string, unknown>, text: string): Aspect[] {
  const words = refKeys.flatMap((key) => readWord(item[key]) ?? []);
  const term = words.find((word) => findTerm(text, word.trim()) !== null);
  const span = term === undefined ? null : findTerm(text, term.trim());
  if (term === undefined || span === null) return [];
  const confidence = readConfidence(item.confidence, unstatedConfidence);
  return [{ term: term.trim(), span, normalized: null, syntactic_head: null, confidence, rationale: "" }];
}

function readSentiment(
  item: Record<string, unknown>,
  text: string,
  isKnown: (word: string) => boolean,
  tally: Tally,
): SentimentReply {
  const words = refKeys.flatMap((key) => readWord(item[key]) ?? []).filter((word) => word.trim() !== "");
  const ref = words.find((word) => isKnown(word.trim())) ?? words[0] ?? "";
  const opinion = readWord(item.opinion_term)?.trim() ?? "";
  const opinionSpan = isRecord(item.opinion_term) ? readSpan(text, item.opinion_term.span) : null;
  return {
    aspect_ref: ref.trim(),
    polarity: readPolarity(item, text, tally),
    opinion_term:
      opinion === "" ? null : { term: opinion, span: opinionSpan ?? findTerm(text, opinion) ?? { start: 0, end: 0 } },
    evidence: readText(item.evidence),
    confidence: readConfidence(item.confidence, unstatedConfidence),
    polarity_distribution: readDistribution(item.polarity_distribution),
    is_implicit: item.is_implicit === true || ref.trim() === "",
  };
}

/** The stated polarity; a neutral that was only filled in for a missing sentiment is missing. */
function readPolarity(item: Record<string, unknown>, text: string, tally: Tally): string | null {
  const word = readWord(item.polarity ?? item.sentiment ?? item.label);
  if (canonicalisePolarity(word) !== "neutral") return word;
  const filled =
    item.is_backfilled === true ||
    (typeof item.neutral_reason === "string" && /missing|placeholder|backfill/i.test(item.neutral_reason)) ||
    (item.confidence === unstatedConfidence && readText(item.evidence).trim() === text.trim());
  if (filled) tally.add("backfilled_neutral_read_as_missing");
  return filled ? null : word;
}

function readDistribution(value: unknown): PolarityDistribution | null {
  if (!isRecord(value)) return null;
  const distribution = { positive: 0, negative: 0, neutral: 0 };
  for (const [key, share] of Object.entries(value)) {
    const polarity = canonicalisePolarity(key);
    if (polarity !== null && typeof share === "number" && Number.isFinite(share)) distribution[polarity] += share;
  }
  return distribution;
}
