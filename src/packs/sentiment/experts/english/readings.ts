import type { Polarity, Span } from "../../schemas/stage1.ts";
import type { Reading } from "../reading.ts";
import { analyse, type Analysis, clauseAt } from "./analyse.ts";
import { type Attachment, attachOpinions } from "./attach.ts";
import type { Chunk } from "./chunk.ts";
import type { EnglishOpinion } from "./opinion.ts";
import { isSetting } from "./relations.ts";

type Place = { span: Span; from: number; to: number; clause: number; nouns: string[]; setting: boolean };

/** The plain reading: opinions of the aspect's clause, the nearer the heavier. */
export function readNear(text: string, aspects: readonly Span[]): Reading[] {
  const analysis = analyse(text, aspects);
  return aspects.map((span) => {
    const place = placeOf(analysis, span);
    const counted = analysis.opinions
      .filter((opinion) => opinion.clause === place.clause && !inside(opinion, place))
      .map((opinion) => ({
        opinion,
        value: opinion.valueFor(place.nouns),
        weight: 1 / (1 + 0.35 * distance(opinion, place)),
      }));
    return conclude(analysis, span, counted, "near");
  });
}

/** The structural reading: the opinions whose relation reaches the aspect; loose ones go to the nearest aspect of the clause. */
export function readScoped(text: string, aspects: readonly Span[]): Reading[] {
  const analysis = analyse(text, aspects);
  const attachments = attachOpinions(analysis);
  const places = aspects.map((span) => placeOf(analysis, span));
  const holders = attachments.map((one) => holdersOf(one, places));
  const free = attachments.filter((_, index) => holders[index]?.length === 0);
  return places.map((place) => {
    const tied = attachments.flatMap((one, index) => (holders[index]?.includes(place) ? [count(one, place, 1)] : []));
    if (tied.some((one) => one.value !== 0 || one.opinion.base === 0))
      return conclude(analysis, place.span, tied, tied[0]?.via ?? "");
    const loose = free.filter((one) => fallsTo(one, places, place)).map((one) => count(one, place, 0.6));
    if (loose.some((one) => one.value !== 0))
      return conclude(analysis, place.span, nearestClause(loose, place), "loose");
    const own = attachments.filter((one) => inside(one.opinion, place)).map((one) => count(one, place, 0.5));
    return conclude(analysis, place.span, own, "in the aspect itself");
  });
}

/** Of loose opinions those of the aspect's clause count; without any, those of the nearest clause. */
function nearestClause<T extends Counted>(loose: T[], place: Place): T[] {
  const gap = (one: T) => Math.abs(one.opinion.clause - place.clause);
  const least = Math.min(...loose.filter((one) => one.value !== 0).map(gap));
  return loose.filter((one) => gap(one) === least);
}

function count(attachment: Attachment, place: Place, weight: number): Counted & { via: string } {
  return { opinion: attachment.opinion, value: attachment.opinion.valueFor(place.nouns), weight, via: attachment.via };
}

/** The aspects that an opinion is about: those it describes, else those it touches in passing. */
function holdersOf(attachment: Attachment, places: readonly Place[]): Place[] {
  const within = (chunks: readonly Chunk[]) =>
    places.filter(
      (place) =>
        chunks.some((chunk) => chunk.from < place.to && chunk.to > place.from) && !inside(attachment.opinion, place),
    );
  const first = within(attachment.targets);
  return first.length > 0 ? first : within(attachment.second);
}

/** An opinion that speaks of no aspect counts for the only one, or for the nearest of its clause. */
function fallsTo(attachment: Attachment, places: readonly Place[], place: Place): boolean {
  const { opinion } = attachment;
  if (places.some((other) => inside(opinion, other))) return false;
  if (places.length === 1) return true;
  if (opinion.clause !== place.clause || place.setting) return false;
  return places.every(
    (other) => other === place || other.clause !== place.clause || distance(opinion, other) >= distance(opinion, place),
  );
}

type Counted = { opinion: EnglishOpinion; value: number; weight: number };

function conclude(analysis: Analysis, span: Span, counted: readonly Counted[], via: string): Reading {
  const value = counted.reduce((sum, one) => sum + one.value * one.weight, 0);
  const size = counted.reduce((sum, one) => sum + Math.abs(one.value) * one.weight, 0);
  const opinions = counted.filter((one) => one.value !== 0 || one.opinion.base === 0).map((one) => one.opinion);
  const polarity = polarityOf(value, counted);
  const confidence =
    polarity === null
      ? 0.5
      : Math.min(0.95, 0.5 + 0.15 * Math.min(2, Math.abs(value)) + (size > 0 ? 0.15 * (Math.abs(value) / size) : 0));
  const evidence = {
    start: Math.min(span.start, ...opinions.map((one) => one.span.start)),
    end: Math.max(span.end, ...opinions.map((one) => one.span.end)),
  };
  return {
    polarity,
    value,
    confidence,
    opinions,
    evidence: opinions.length > 0 ? evidence : span,
    via: opinions.length > 0 ? via : "no opinion",
  };
}

function polarityOf(value: number, counted: readonly Counted[]): Polarity | null {
  if (Math.abs(value) >= 0.25) return value > 0 ? "positive" : "negative";
  return counted.some((one) => one.opinion.base === 0) ? "neutral" : null;
}

function placeOf(analysis: Analysis, span: Span): Place {
  const { tokens } = analysis;
  const covered = tokens.filter((token) => token.start < span.end && token.end > span.start);
  const from = covered[0]?.index ?? 0;
  const to = (covered.at(-1)?.index ?? 0) + 1;
  const nouns = [...new Set(covered.flatMap((token) => [token.lower, token.lemma]))];
  const clause = clauseAt(analysis.clauses, to - 1);
  const holder = analysis.clauses[clause];
  const chunk = holder?.chunks.find((one) => to - 1 >= one.from && to - 1 < one.to);
  const setting = holder !== undefined && chunk !== undefined && isSetting(analysis, holder, chunk);
  return { span, from, to, clause, nouns, setting };
}

function inside(opinion: EnglishOpinion, place: Place): boolean {
  return opinion.from >= place.from && opinion.to <= place.to;
}

function distance(opinion: EnglishOpinion, place: Place): number {
  if (opinion.to <= place.from) return place.from - opinion.to;
  return Math.max(0, opinion.from - place.to);
}
