/** Majorities: of independent openings over Stage 1, and of several readings (the control arms). */
import type { PatchTurn } from "../schemas/debate.ts";
import type { Aspect, Polarity, Sentiment, Stage1 } from "../schemas/stage1.ts";
import { findTerm, orderByText } from "./text.ts";
import { createSentiment, findLastWord, findMostConfident, keepStated, tupleKeyOf } from "./tuples.ts";

/** How the votes on one aspect came out. */
export type Ballot = { aspect: string; votes: Record<string, number>; result: string };

/** A plain majority of independent openings over Stage 1: a speaker that says nothing of an aspect votes for Stage 1. */
export function voteOnStage1(
  text: string,
  stage1: Stage1,
  turns: readonly PatchTurn[],
): { stage1: Stage1; ballots: Ballot[] } {
  const edited = turns.flatMap((turn) => turn.proposed_edits.map((edit) => edit.target.aspect_ref));
  const rated = keepStated(stage1.aspect_sentiments).map((sentiment) => sentiment.aspect_ref);
  const ballots = orderByText(text, [...new Set([...rated, ...edited])]).map((aspect): Ballot => {
    const before = findMostConfident(keepStated(stage1.aspect_sentiments, aspect))?.polarity ?? "none";
    const votes: Record<string, number> = {};
    for (const { speaker } of turns) {
      const vote = findLastWord(turns, speaker, new Set([aspect]))?.vote;
      const choice = vote === undefined ? before : vote.removal ? "none" : (vote.polarity ?? before);
      votes[choice] = (votes[choice] ?? 0) + 1;
    }
    const winner = Object.entries(votes).find(([, count]) => count * 2 > turns.length);
    return { aspect, votes, result: winner?.[0] ?? before };
  });
  const sentiments = ballots.flatMap(({ aspect, votes, result }): Sentiment[] => {
    if (result === "none") return [];
    const before = findMostConfident(keepStated(stage1.aspect_sentiments, aspect));
    if (before?.polarity === result) return [before];
    const confidence = turns.length === 0 ? 0.5 : (votes[result] ?? 0) / turns.length;
    return [createSentiment(aspect, result as Polarity, { evidence: "", confidence })];
  });
  const aspects = addTerms(text, stage1.aspects, sentiments);
  return { stage1: { ...stage1, aspects, aspect_sentiments: sentiments }, ballots };
}

/** The tuples that more than half of the readings hold, with the mean of their confidences. */
export function takeMajority(text: string, readings: readonly Stage1[]): Stage1 {
  const keep = <T>(lists: readonly (readonly T[])[], keyOf: (one: T) => string): T[][] => {
    const distinct = lists.flatMap((list) => [...new Map(list.map((one) => [keyOf(one), one])).values()]);
    return [...Map.groupBy(distinct, keyOf).values()].filter((own) => own.length * 2 > readings.length);
  };
  const sentiments = keep(
    readings.map((reading) => keepStated(reading.aspect_sentiments)),
    tupleKeyOf,
  ).flatMap((own): Sentiment[] => {
    const confidence = own.reduce((sum, one) => sum + one.confidence, 0) / own.length;
    return own[0] ? [{ ...own[0], confidence }] : [];
  });
  const aspects = keep(
    readings.map((reading) => reading.aspects),
    ({ term }) => term,
  ).flatMap((own) => own[0] ?? []);
  return { aspects: addTerms(text, aspects, sentiments), aspect_sentiments: sentiments, validator: null };
}

/** Every rated term is an aspect, too. */
function addTerms(text: string, aspects: readonly Aspect[], sentiments: readonly Sentiment[]): Aspect[] {
  const known = new Set(aspects.map((aspect) => aspect.term));
  const added = sentiments.flatMap(({ aspect_ref: term, confidence }): Aspect[] => {
    const span = known.has(term) ? null : findTerm(text, term);
    return span ? [{ term, span, normalized: null, syntactic_head: null, confidence, rationale: "" }] : [];
  });
  return [...aspects, ...added];
}
