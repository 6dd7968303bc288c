import { measureCertainty } from "../../text/vote-certainty.ts";
import type { VoteRow } from "./votes.ts";

/** What a member said, by member; null is no answer. */
export type Votes = Readonly<Record<string, string | null>>;

/** When asking in order ends: two agree, three agree, or the lead is settled by its Beta posterior. */
export const stopRules = ["two", "three", "posterior"] as const;
export type StopRule = (typeof stopRules)[number];

/** The answer of a vote, by plain or learnt weights; ties go to the member that comes first, no answer is no vote. */
export function vote(
  votes: Votes,
  panel: readonly string[],
  weights?: Readonly<Record<string, number>>,
): string | null {
  const counts = new Map<string, number>();
  for (const name of panel) {
    const answer = votes[name] ?? null;
    if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + (weights?.[name] ?? 1));
  }
  let best: string | null = null;
  for (const [answer, count] of counts) if (best === null || count > (counts.get(best) as number)) best = answer;
  return best;
}

/** A lead is settled when it would last with this certainty. */
const settled = 0.95;

/** Asks the members in order until the rule ends it; what never ends it is decided by a vote. */
export function askInOrder(
  votes: Votes,
  panel: readonly string[],
  rule: StopRule,
): { answer: string | null; calls: number } {
  const counts = new Map<string, number>();
  for (const [i, name] of panel.entries()) {
    const answer = votes[name] ?? null;
    if (answer === null) continue;
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
    const [lead = 0, next = 0] = [...counts.values()].sort((a, b) => b - a);
    const left = panel.length - i - 1;
    const enough =
      rule === "posterior"
        ? lead - next > left || measureCertainty(lead, next) >= settled
        : counts.get(answer) === (rule === "two" ? 2 : 3);
    if (enough) return { answer: vote(votes, panel.slice(0, i + 1)), calls: i + 1 };
  }
  return { answer: vote(votes, panel), calls: panel.length };
}

/**
 * Weights by log odds: how much more likely a member's answer is when it is right than when it is one of the wrong ones,
 * of which there are about as many as wrong members seldom meet on the same.
 */
export function weighVotes(rows: readonly VoteRow[], panel: readonly string[]): Record<string, number> {
  const wrongChoices = Math.log(1 / meetWhenWrong(rows, panel));
  return Object.fromEntries(
    panel.map((name) => {
      const right = rows.filter((row) => row.votes[name] === row.gold).length;
      const odds = (right + 1) / (rows.length - right + 1);
      return [name, Math.max(0, Math.log(odds) + wrongChoices)];
    }),
  );
}

/** How often two members that are both wrong gave the same answer. */
function meetWhenWrong(rows: readonly VoteRow[], panel: readonly string[]): number {
  let pairs = 1;
  let met = 1;
  for (const { votes, gold } of rows) {
    const wrong = panel.map((name) => votes[name] ?? null).filter((answer) => answer !== null && answer !== gold);
    for (const [i, one] of wrong.entries())
      for (const other of wrong.slice(i + 1)) {
        pairs++;
        if (one === other) met++;
      }
  }
  return met / pairs;
}
