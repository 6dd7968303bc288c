import type { Estimate } from "../../contract/chart.ts";
import { createRandom } from "../../text/random.ts";
import { pairedBootstrap } from "../statistics/bootstrap.ts";
import { detectableAccuracyDifference } from "../statistics/detectable-effect.ts";
import { countToSettle, measureEvidence } from "./evidence.ts";

/** An arm of a pilot: case by case whether it was right, and what a case cost on average. */
export type PilotArm = {
  name: string;
  control: boolean;
  right: boolean[];
  cost: { calls: number; tokens: number; usd: number };
};

/** One arm against another on the same cases; `evidence` is for the first one. */
export type Duel = {
  arm: string;
  against: string;
  gain: Estimate;
  wins: number;
  losses: number;
  evidence: number;
  shown: boolean;
  /** How many cases would settle it, going by what was seen. */
  toSettle: number | null;
};

/** Which arm to use, why, and how sure that is. */
export type Advice = {
  use: string;
  answer: "debate" | "control" | "not_shown";
  duels: Duel[];
  /** The smallest difference that a pilot of this size is likely to see. */
  detectable: number | null;
  cases: number;
};

/**
 * Advises which arm to use. A debate is advised only when it is shown to beat every control; otherwise the cheapest control
 * that no other was shown to beat. The level is shared among the comparisons, so that "debate wins" is wrong at most that often.
 */
export function reachAdvice(arms: readonly PilotArm[], level = 0.05): Advice {
  const debates = arms.filter(({ control }) => !control);
  const controls = arms.filter(({ control }) => control);
  const cases = Math.min(...arms.map(({ right }) => right.length));
  const needed = Math.max(1, debates.length) / level;
  const duels = debates.flatMap((debate) => controls.map((control) => compareArms(debate, control, needed)));
  const winner = debates.find(
    (debate) => controls.length > 0 && duels.filter(({ arm }) => arm === debate.name).every(({ shown }) => shown),
  );
  const among = compareControls(controls, level);
  const beaten = new Set([...duels, ...among].filter(({ shown }) => shown).map(({ against }) => against));
  const standing = controls.filter(({ name }) => !beaten.has(name));
  const cheapest =
    standing.toSorted((a, b) => a.cost.tokens - b.cost.tokens || a.cost.calls - b.cost.calls)[0] ?? controls[0];
  const lost =
    debates.length > 0 &&
    debates.every((debate) => controls.some((control) => compareArms(control, debate, needed).shown));
  const split = duels.map(({ wins, losses }) => (wins + losses) / Math.max(1, cases));
  return {
    use: winner?.name ?? cheapest?.name ?? debates[0]?.name ?? "",
    answer: winner ? "debate" : lost ? "control" : "not_shown",
    duels: [...duels, ...among.filter(({ shown }) => shown)],
    detectable: detectableAccuracyDifference(cases, Math.max(0, ...split)),
    cases,
  };
}

function compareControls(controls: readonly PilotArm[], level: number): Duel[] {
  const pairs = controls.flatMap((one) =>
    controls.filter((other) => other !== one).map((other) => [one, other] as const),
  );
  return pairs.map(([one, other]) => compareArms(one, other, Math.max(1, pairs.length) / level));
}

function compareArms(one: PilotArm, other: PilotArm, needed: number): Duel {
  const cases = Math.min(one.right.length, other.right.length);
  const pairs = Array.from({ length: cases }, (_, at) => [one.right[at] ? 1 : 0, other.right[at] ? 1 : 0] as const);
  const wins = pairs.filter(([mine, theirs]) => mine > theirs).length;
  const losses = pairs.filter(([mine, theirs]) => mine < theirs).length;
  const evidence = measureEvidence(wins, losses);
  const { estimate, low, high } = pairedBootstrap(
    pairs.map(([, theirs]) => theirs),
    pairs.map(([mine]) => mine),
    { random: createRandom(1) },
  );
  return {
    arm: one.name,
    against: other.name,
    gain: { estimate, low, high },
    wins,
    losses,
    evidence,
    shown: evidence >= needed,
    toSettle: countToSettle(wins, losses, cases, needed),
  };
}
