import type { Estimate } from "../contract/chart.ts";
import { createRandom } from "../text/random.ts";
import { pairedBootstrap } from "./statistics/intervals.ts";
import { detectableAccuracyDifference } from "./statistics/paired-test.ts";
import { sumWorstCases } from "../engine/budget.ts";
import type { Scorecard, StudyManifest } from "./results/results.ts";
import type { Cell, Section } from "../contract/view.ts";
import { formatCount, formatUsd } from "../text/number-text.ts";

/** An arm of a pilot: case by case whether it was right, and what a case cost on average. */
export type PilotArm = {
  name: string;
  control: boolean;
  right: boolean[];
  /** What a case cost on average; an unknown price is null. */
  cost: { calls: number; tokens: number; usd: number | null };
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
  const split = Math.max(0, ...duels.map(({ wins, losses }) => (wins + losses) / Math.max(1, cases)));
  return {
    use: winner?.name ?? cheapest?.name ?? debates[0]?.name ?? "",
    answer: winner ? "debate" : lost ? "control" : "not_shown",
    duels: [...duels, ...among.filter(({ shown }) => shown)],
    detectable: split === 0 ? null : detectableAccuracyDifference(cases, split),
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

/** The chances of a win that are weighed against an even one, evenly spread between one half and one. */
const chances = Array.from({ length: 100 }, (_, at) => 0.5 + (at + 0.5) / 200);

/**
 * How strongly wins against losses speak for the winner, as a bet that may be looked at after every case: under an even
 * chance it exceeds 1/α at any time with a chance of at most α (Ville), so that peeking and stopping early are allowed.
 * It is the mean over `chances` of the likelihood ratio against one half.
 */
export function measureEvidence(wins: number, losses: number): number {
  const logs = chances.map((chance) => wins * Math.log(2 * chance) + losses * Math.log(2 * (1 - chance)));
  const most = Math.max(...logs);
  return Math.exp(most) * (logs.reduce((sum, log) => sum + Math.exp(log - most), 0) / logs.length);
}

/** How many cases it takes, about, until a difference like the one seen would be shown at this level; null when none was seen. */
export function countToSettle(wins: number, losses: number, cases: number, needed: number): number | null {
  if (wins <= losses || cases === 0) return null;
  for (let times = 1; times <= 4_096; times *= 1.05)
    if (measureEvidence(wins * times, losses * times) >= needed) return Math.ceil(cases * times);
  return null;
}

/** The arms of a pilot on the cases that all of them have, with what a case cost. */
export function collectPilotArms(manifest: StudyManifest, scorecards: readonly Scorecard[]): PilotArm[] {
  const byArm = Map.groupBy(
    scorecards.filter(({ right }) => right !== null),
    ({ arm }) => arm,
  );
  const ran = manifest.arms.filter(({ name }) => byArm.has(name));
  const common = ran
    .map(({ name }) => new Set(byArm.get(name)?.map(({ case_id }) => case_id)))
    .reduce((left, right) => left.intersection(right));
  return ran.map(({ name, kind }) => {
    const cards = (byArm.get(name) ?? []).filter(({ case_id }) => common.has(case_id));
    const ordered = cards.toSorted((a, b) =>
      a.case_id < b.case_id ? -1 : a.case_id > b.case_id ? 1 : a.seed - b.seed,
    );
    const first = ordered.filter(({ case_id }, at) => ordered[at - 1]?.case_id !== case_id);
    return {
      name,
      control: kind === "control",
      right: first.map(({ right }) => right === true),
      cost: averageCost(first),
    };
  });
}

function averageCost(cards: readonly Scorecard[]): PilotArm["cost"] {
  const { calls, tokens, usd } = sumWorstCases(cards.map(({ cost }) => cost.spend ?? { calls: 0, tokens: 0, usd: 0 }));
  const count = Math.max(1, cards.length);
  return { calls: calls / count, tokens: tokens / count, usd: usd === null ? null : usd / count };
}

/** An advice in words and numbers; `whole` is how many cases the data set has. */
export function buildAdviceSections(advice: Advice, arms: readonly PilotArm[], whole: number): Section[] {
  return [
    {
      kind: "verdict",
      title: "Which arm for this data?",
      answer: sayAnswer(advice),
      tone: advice.answer === "debate" ? "good" : advice.answer === "control" ? "bad" : "neutral",
      points: listPoints(advice, arms, whole),
    },
    {
      kind: "table",
      title: "Arms of the pilot",
      note: `${formatCount(advice.cases, "case")}; the cost of all ${whole} is reckoned from them.`,
      columns: [
        "arm",
        { name: "right", numeric: true },
        { name: "calls a case", numeric: true },
        { name: "tokens a case", numeric: true },
        { name: `USD for ${whole}`, numeric: true },
      ],
      rows: arms.map((arm) => tabulateArm(arm, whole)),
    },
    {
      kind: "table",
      title: "Against each other",
      note: "Evidence of 20 or more would be a false alarm at most once in twenty pilots, however often one looks.",
      columns: [
        "arm",
        "against",
        { name: "gain", numeric: true },
        { name: "won, lost", numeric: true },
        { name: "evidence", numeric: true },
        "cases to settle it",
      ],
      rows: advice.duels.map(tabulateDuel),
    },
  ];
}

function sayAnswer({ use, answer }: Advice): string {
  if (answer === "debate") return `Use ${use}: it is shown to beat every control`;
  if (answer === "control") return `Use ${use}: the debate is shown to be worse`;
  return `Use ${use}: no gain of the debate is shown, and this is the cheapest that nothing beats`;
}

function listPoints({ detectable, cases, duels, answer }: Advice, arms: readonly PilotArm[], whole: number): string[] {
  const debates = new Set(arms.filter(({ control }) => !control).map(({ name }) => name));
  const open = duels.filter(({ arm, shown }) => debates.has(arm) && !shown);
  const best = open.toSorted((a, b) => (b.toSettle ?? 0) - (a.toSettle ?? 0))[0];
  const seen =
    detectable === null
      ? `With ${formatCount(cases, "case")} that tell the arms hardly apart, what difference could be seen is unknown.`
      : `With ${formatCount(cases, "case")} a difference of about ${percent(detectable)} or more is likely to be seen.`;
  const settle =
    answer === "not_shown" && best?.toSettle
      ? [
          `If ${best.arm} is as much better than ${best.against} as it looked (${percent(best.gain.estimate)}), about ${best.toSettle} cases would settle it.`,
        ]
      : [];
  const debate = arms.find(({ control }) => !control);
  const cost = debate
    ? [
        `${debate.name} on all ${whole} cases: about ${Math.round(debate.cost.calls * whole)} calls, ${Math.round(debate.cost.tokens * whole)} tokens${debate.cost.usd === 0 ? "" : `, ${debate.cost.usd === null ? "price unknown" : formatUsd(debate.cost.usd * whole)}`}.`,
      ]
    : [];
  return [seen, ...settle, ...cost];
}

function tabulateArm({ name, control, right, cost }: PilotArm, whole: number): Cell[] {
  const share = right.filter(Boolean).length / Math.max(1, right.length);
  return [
    { text: name, tag: control ? "control" : "reference" },
    percent(share),
    cost.calls.toFixed(1),
    String(Math.round(cost.tokens)),
    formatUsd(cost.usd === null ? null : cost.usd * whole),
  ];
}

function tabulateDuel({ arm, against, gain, wins, losses, evidence, shown, toSettle }: Duel): Cell[] {
  const { estimate, low, high } = gain;
  return [
    arm,
    against,
    `${percent(estimate)} [${percent(low)}, ${percent(high)}]`,
    `${wins}, ${losses}`,
    { text: evidence >= 1_000 ? "over 1000" : evidence.toFixed(2), tone: shown ? "good" : "neutral" },
    shown ? "settled" : toSettle === null ? "no difference seen" : `about ${toSettle}`,
  ];
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
