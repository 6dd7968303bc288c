import type { TopHypothesis } from "../schemas/round.ts";
import { compareIds } from "./judge-score.ts";
import type { Spoken } from "./round.ts";

/** The winner of a vote of most confident hypotheses, and votes per category. */
export type Vote = { top: TopHypothesis; votes: Record<string, number> };

/** A plurality over the category of each speaker's most confident hypothesis; ties by total confidence, then by id (root-cause spec §4.7). */
export function countVotes(spoken: Spoken[]): Vote | null {
  const ballots = spoken.flatMap(({ source, hypotheses }) => {
    const [best] = hypotheses.toSorted((a, b) => b.confidence - a.confidence || compareIds(a.id, b.id));
    return best ? [{ ...best, source, judge_score: null }] : [];
  });
  const camps = [...Map.groupBy(ballots, ({ category }) => category).values()];
  const weight = (camp: TopHypothesis[]) => camp.reduce((sum, { confidence }) => sum + confidence, 0);
  const byConfidence = (a: TopHypothesis, b: TopHypothesis) => b.confidence - a.confidence || compareIds(a.id, b.id);
  const [winners] = camps
    .map((camp) => camp.toSorted(byConfidence))
    .sort((a, b) => b.length - a.length || weight(b) - weight(a) || compareIds(a[0]?.id ?? "", b[0]?.id ?? ""));
  const votes = Object.fromEntries(camps.map((camp) => [camp[0]?.category ?? "", camp.length]));
  return winners?.[0] ? { top: winners[0], votes } : null;
}
