import type { Edit, Patch, PatchTurn, Tuple } from "../schemas/debate.ts";
import type { Material } from "../schemas/material.ts";
import type { Aspect, Polarity, Sentiment } from "../schemas/stage1.ts";
import type { AspectMatcher } from "./matcher.ts";
import { findTerm, overlaps, sortByPlace } from "./text.ts";

const canon: Record<string, Polarity> = {
  positive: "positive",
  negative: "negative",
  neutral: "neutral",
  pos: "positive",
  neg: "negative",
  neu: "neutral",
};

/** The strict polarity canon (sentiment spec §4): trimmed, case-insensitive; anything else is null, never neutral. */
export function canonicalisePolarity(word: unknown): Polarity | null {
  if (typeof word !== "string") return null;
  return pickOwn(canon, word.trim().toLowerCase()) ?? null;
}

export function flipPolarity(polarity: Polarity | null): Polarity | null {
  if (polarity === "positive") return "negative";
  return polarity === "negative" ? "positive" : null;
}

/** Own keys only: words of a text may be "constructor". */
export function pickOwn<V>(record: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Compares with tolerance for decimals, so that 0.8 + 0.8 meets 1.6 (sentiment spec §6). */
export function isBelow(value: number, threshold: number): boolean {
  return value < threshold - 1e-9;
}

export function roundOff(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}

export type Stated = Sentiment & { polarity: Polarity };

export function keepStated(sentiments: readonly Sentiment[], aspect?: string): Stated[] {
  return sentiments.filter(
    (one): one is Stated => one.polarity !== null && (aspect === undefined || one.aspect_ref === aspect),
  );
}

export function findMostConfident<S extends Sentiment>(sentiments: readonly S[]): S | null {
  return sentiments.toSorted((a, b) => b.confidence - a.confidence)[0] ?? null;
}

export function listPolarities(list: readonly Sentiment[], aspect: string): Polarity[] {
  return [...new Set(keepStated(list, aspect).map((sentiment) => sentiment.polarity))].sort();
}

/** A sentiment stated by a rule: no opinion term, no distribution. */
export function createSentiment(
  aspect_ref: string,
  polarity: Polarity,
  { evidence, confidence }: { evidence: string; confidence: number },
): Stated {
  return {
    aspect_ref,
    polarity,
    opinion_term: null,
    evidence,
    confidence,
    polarity_distribution: null,
    is_implicit: aspect_ref === "",
  };
}

export function tupleKeyOf({ aspect_ref, polarity }: Pick<Sentiment, "aspect_ref" | "polarity">): string {
  return `${aspect_ref}\u0000${polarity}`;
}

/** Distinct tuples in text order; those of one aspect sorted. */
export function listTuples(text: string, list: readonly Stated[]): Tuple[] {
  const tuples = list.map(({ aspect_ref, polarity }) => ({ aspect_ref, aspect_term: aspect_ref, polarity }));
  const distinct = new Map(tuples.map((tuple) => [tupleKeyOf(tuple), tuple]));
  const sorted = [...distinct.values()].toSorted((a, b) => a.polarity.localeCompare(b.polarity));
  return sortByPlace(text, sorted, (tuple) => tuple.aspect_ref);
}

/** Aspects without a stated sentiment (sentiment spec §2: listed, never back-filled). */
export function listMentions(aspects: readonly Aspect[], sentiments: readonly Sentiment[]): string[] {
  const rated = new Set(keepStated(sentiments).map((sentiment) => sentiment.aspect_ref));
  return [...new Set(aspects.map((aspect) => aspect.term))].filter((term) => term !== "" && !rated.has(term));
}

/** True for positive, negative, or a neutral that the text itself states (sentiment spec §2). */
export function isEvaluative({ text, clauses, neutral_cues }: Material, sentiment: Stated): boolean {
  if (sentiment.polarity !== "neutral") return true;
  const place = findTerm(text, sentiment.aspect_ref);
  const evidence = sentiment.evidence.trim() === text.trim() ? null : findTerm(text, sentiment.evidence.trim());
  const own = place === null ? [] : clauses.filter((clause) => overlaps(clause, place));
  const whole = place === null ? [{ start: 0, end: text.length }] : own;
  const scope = [
    ...whole,
    ...(evidence ? [evidence] : []),
    ...(sentiment.opinion_term ? [sentiment.opinion_term.span] : []),
  ];
  return neutral_cues.some((cue) => scope.some((one) => overlaps(cue, one)));
}

export type Vote = {
  polarity: Polarity | null;
  removal: boolean;
  removes: Polarity | null;
  invalid: boolean;
};

/** Reads an edit as a vote (sentiment spec §4): a drop is a removal vote, never a vote for negative. */
export function readVote(edit: Edit | Patch): Vote {
  const asked = (word: string | null): Vote => {
    const polarity = canonicalisePolarity(word);
    return { polarity, removal: false, removes: null, invalid: polarity === null };
  };
  switch (edit.op) {
    case "set_polarity":
      return asked(edit.value ?? edit.target.polarity);
    case "confirm_tuple":
      return asked(edit.target.polarity ?? edit.value);
    case "merge_tuples":
      return { ...asked(edit.target.polarity ?? edit.value), invalid: false };
    case "drop_tuple":
      return { polarity: null, removal: true, removes: canonicalisePolarity(edit.target.polarity), invalid: false };
    default:
      return { polarity: null, removal: false, removes: null, invalid: false };
  }
}

/** The target of a rename or merge, as the text or Stage 1 writes it; null if unknown. */
export function findMoveTarget(edit: Edit | Patch, matcher: AspectMatcher): string | null {
  if (edit.op !== "set_aspect_ref" && edit.op !== "merge_tuples") return null;
  if (edit.value === null || edit.value.trim() === "" || canonicalisePolarity(edit.value) !== null) return null;
  const { aspect, how } = matcher.resolve(edit.value);
  return how === "synonym" ? null : aspect;
}

/** A speaker's last edit of an aspect, with its vote; null if there is none. */
export function findLastWord(
  turns: readonly PatchTurn[],
  speaker: string,
  aspect: string,
): { edit: Edit; vote: Vote } | null {
  const votes = turns
    .filter((turn) => turn.speaker === speaker)
    .flatMap((turn) => turn.proposed_edits)
    .filter((edit) => edit.target.aspect_ref === aspect)
    .map((edit) => ({ edit, vote: readVote(edit) }))
    .filter(({ vote }) => vote.polarity !== null || vote.removal);
  return votes.at(-1) ?? null;
}
