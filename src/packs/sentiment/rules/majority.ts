/** Majorities over several readings of a text, for the control arms (sentiment spec §1). */
import type { PatchTurn } from "../schemas/debate.ts";
import type { Aspect, Sentiment, Stage1 } from "../schemas/stage1.ts";
import { findTerm } from "./text.ts";
import { createSentiment, findLastWord, findMostConfident, keepStated, tupleKeyOf } from "./tuples.ts";

export function editStage1(stage1: Stage1, turn: PatchTurn): Stage1 {
  const edited = new Set(turn.proposed_edits.map((edit) => edit.target.aspect_ref));
  const aspect_sentiments = [...edited].reduce<Sentiment[]>((list, aspect) => {
    const last = findLastWord([turn], turn.speaker, aspect);
    if (last === null) return list;
    const others = list.filter((one) => one.aspect_ref !== aspect);
    const { polarity } = last.vote;
    if (polarity === null) return others;
    const evidence = last.edit.evidence ?? "";
    return [...others, createSentiment(aspect, polarity, { evidence, confidence: last.edit.confidence ?? 0.5 })];
  }, stage1.aspect_sentiments);
  return { ...stage1, aspect_sentiments };
}

/** Tuples held by more than half of the readings, with their mean confidence. */
export function takeMajority(text: string, readings: readonly Stage1[]): Stage1 {
  const keep = <T>(lists: readonly (readonly T[])[], keyOf: (one: T) => string): T[][] => {
    const distinct = lists.flatMap((list) => [...new Map(list.map((one) => [keyOf(one), one])).values()]);
    return [...Map.groupBy(distinct, keyOf).values()].filter((own) => own.length * 2 > readings.length);
  };
  const stated = readings.map((reading) => keepStated(reading.aspect_sentiments));
  const aspect_sentiments = keep(stated, tupleKeyOf).flatMap((own): Sentiment[] => {
    const best = findMostConfident(own);
    return best ? [{ ...best, confidence: own.reduce((sum, one) => sum + one.confidence, 0) / own.length }] : [];
  });
  const named = keep(
    readings.map((reading) => reading.aspects),
    ({ term }) => term,
  ).flatMap((own) => own[0] ?? []);
  const added = aspect_sentiments.flatMap(({ aspect_ref: term, confidence }): Aspect[] => {
    const span = named.some((aspect) => aspect.term === term) ? null : findTerm(text, term);
    return span ? [{ term, span, normalized: null, syntactic_head: null, confidence, rationale: "" }] : [];
  });
  return { aspects: [...named, ...added], aspect_sentiments, validator: null };
}
