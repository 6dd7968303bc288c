import { readVote } from "../tuples/votes.ts";
import type { PatchTurn } from "../../schemas/debate.ts";
import type { Aspect, Polarity, Sentiment, Stage1 } from "../../schemas/stage1.ts";
import {
  createSentiment,
  findMostConfident,
  keepStated,
  keepStatedOf,
  type Stated,
  tupleKeyOf,
} from "../tuples/stated.ts";
import { findTerm } from "../tuples/find-term.ts";
import { orderByText } from "../tuples/text-order.ts";

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
  const aspects = orderByText(text, [...new Set([...rated, ...edited])]);
  const ballots = aspects.map((aspect) => countBallot(aspect, stage1, turns));
  const sentiments = ballots.flatMap((ballot) => toSentiments(ballot, stage1));
  return {
    stage1: { ...stage1, aspects: addTerms(text, stage1.aspects, sentiments), aspect_sentiments: sentiments },
    ballots,
  };
}

function countBallot(aspect: string, stage1: Stage1, turns: readonly PatchTurn[]): Ballot {
  const before = findBest(stage1.aspect_sentiments, aspect)?.polarity ?? "none";
  const votes: Record<string, number> = {};
  for (const turn of turns) {
    const said = turn.proposed_edits.filter((edit) => edit.target.aspect_ref === aspect).map(readVote);
    const last = said.findLast((vote) => vote.polarity !== null || vote.removal);
    const choice = last === undefined ? before : last.removal ? "none" : (last.polarity ?? before);
    votes[choice] = (votes[choice] ?? 0) + 1;
  }
  const winner = Object.entries(votes).find(([, count]) => count * 2 > turns.length);
  return { aspect, votes, result: winner?.[0] ?? before };
}

function toSentiments({ aspect, votes, result }: Ballot, stage1: Stage1): Sentiment[] {
  if (result === "none") return [];
  const before = findBest(stage1.aspect_sentiments, aspect);
  if (before?.polarity === result) return [before];
  const total = Object.values(votes).reduce((a, b) => a + b, 0);
  const confidence = total === 0 ? 0.5 : (votes[result] ?? 0) / total;
  return [createSentiment(aspect, result as Polarity, { evidence: "", confidence })];
}

/** The tuples that more than half of the readings hold, with the mean of their confidences. */
export function takeMajority(text: string, readings: readonly Stage1[]): Stage1 {
  const all = readings.flatMap((reading) => keepDistinct(keepStated(reading.aspect_sentiments)));
  const keys = [...new Set(all.map(tupleKeyOf))];
  const sentiments = keys.flatMap((key): Sentiment[] => {
    const own = all.filter((sentiment) => tupleKeyOf(sentiment) === key);
    const [first] = own;
    if (!first || own.length * 2 <= readings.length) return [];
    return [{ ...first, confidence: own.reduce((sum, one) => sum + one.confidence, 0) / own.length }];
  });
  const counted = new Map<string, Aspect[]>();
  for (const aspect of readings.flatMap((reading) => keepDistinctTerms(reading.aspects)))
    counted.set(aspect.term, [...(counted.get(aspect.term) ?? []), aspect]);
  const aspects = [...counted.values()]
    .filter((own) => own.length * 2 > readings.length)
    .flatMap((own) => own[0] ?? []);
  return { aspects: addTerms(text, aspects, sentiments), aspect_sentiments: sentiments, validator: null };
}

function keepDistinct(list: Stated[]): Stated[] {
  return [...new Map(list.map((sentiment) => [tupleKeyOf(sentiment), sentiment])).values()];
}

function keepDistinctTerms(aspects: readonly Aspect[]): Aspect[] {
  return [...new Map(aspects.map((aspect) => [aspect.term, aspect])).values()];
}

function findBest(sentiments: readonly Sentiment[], aspect: string): Stated | null {
  return findMostConfident(keepStatedOf(sentiments, aspect));
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
