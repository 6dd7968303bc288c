import { createRandom } from "../../text/random.ts";
import type { Scorecard } from "../results/scorecard.ts";
import { bootstrapMean, type PairedDifference, pairedBootstrap } from "../statistics/bootstrap.ts";
import type { Interval } from "../statistics/interval.ts";
import { type ArmData, averageByCase, paired } from "./arm-data.ts";

/** What debating only where the openings disagree would have done on these cases. */
export type SplitComparison = {
  /** The arm that decides where they agree. */
  vote: string;
  cases: number;
  /** Cases whose openings disagree. */
  split: string[];
  /** The debate against the vote, where the openings disagree and where they agree. */
  whereSplit: PairedDifference | null;
  whereAgreed: PairedDifference | null;
  /** The score of the gated policy, and how it differs from always debating. */
  score: Interval;
  difference: PairedDifference;
  /** Tokens, or turns where players cost none, as a share of always debating. */
  costShare: number;
};

/**
 * Votes where the speakers' first words agree and debates where they do not: what that would cost and score, from the
 * debate's own openings and the vote control. Null without at least two speakers on the same item in the first round.
 */
export function estimateGate(reference: ArmData, vote: ArmData | undefined): SplitComparison | null {
  if (!vote) return null;
  const scores = paired(
    averageByCase(vote, (card) => card.primary),
    averageByCase(reference, (card) => card.primary),
  );
  const openings = scores.ids.map((id) => classifyOpening(reference.byCase.get(id) ?? []));
  if (scores.ids.length === 0 || openings.every((one) => one === null)) return null;
  const isSplit = openings.map((one) => one !== "agreed");
  const gated = scores.ids.map((_, i) => (isSplit[i] ? scores.second[i] : scores.first[i]) as number);
  const measureDifference = (wanted: boolean): PairedDifference | null => {
    const at = isSplit.flatMap((split, i) => (split === wanted ? [i] : []));
    if (at.length === 0) return null;
    return pairedBootstrap(pick(scores.first, at), pick(scores.second, at), { random: createRandom(at.length) });
  };
  return {
    vote: vote.name,
    cases: scores.ids.length,
    split: scores.ids.filter((_, i) => isSplit[i]),
    whereSplit: measureDifference(true),
    whereAgreed: measureDifference(false),
    score: bootstrapMean(gated, { random: createRandom(gated.length) }),
    difference: pairedBootstrap(scores.second, gated, { random: createRandom(gated.length) }),
    costShare: costShare(reference, vote, scores.ids, isSplit),
  };
}

/** Whether the first words on every item agree; null when no item has two speakers in its first round. */
function classifyOpening(cards: Scorecard[]): "agreed" | "split" | null {
  const items = cards.flatMap((card) => [...Map.groupBy(card.positions, (one) => one.item).values()]);
  const firsts = items.map((positions) => {
    const first = Math.min(...positions.map((one) => one.round));
    return positions.filter((one) => one.round === first).map((one) => one.answer);
  });
  const several = firsts.filter((answers) => answers.length > 1);
  if (several.length === 0) return null;
  return several.every((answers) => new Set(answers).size === 1) ? "agreed" : "split";
}

/** Every case pays for its openings (as the vote does); split ones pay for the whole debate instead. */
function costShare(reference: ArmData, vote: ArmData, ids: string[], isSplit: boolean[]): number {
  const costOf = (arm: ArmData, id: string): number =>
    (arm.byCase.get(id) ?? []).reduce((sum, card) => sum + paid(card), 0);
  const always = ids.reduce((sum, id) => sum + costOf(reference, id), 0);
  const gated = ids.reduce((sum, id, i) => sum + costOf(isSplit[i] ? reference : vote, id), 0);
  return always === 0 ? 1 : gated / always;
}

function paid({ cost: { usage } }: Scorecard): number {
  const tokens = usage.inputTokens + usage.outputTokens;
  return tokens > 0 ? tokens : usage.calls;
}

function pick(values: number[], at: number[]): number[] {
  return at.map((i) => values[i] as number);
}
