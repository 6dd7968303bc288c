import type { Cell, Column, Section, SectionOf, Tone } from "../../contract/view.ts";
import { formatCount, formatP, formatPoints, formatRange, formatSigned, valueText } from "../../text/format.ts";
import { fewestDiffering, type PairedTest } from "../statistics/statistics.ts";
import { fewestCases, type JudgeCheck, type JudgeVerdict, type PanelMeasure } from "./measure-panel.ts";
import type { JuryMeasure } from "./jury.ts";

export const numeric = (name: string, hint?: string): Column => ({ name, numeric: true, hint });

type Head = { title: string; id?: string; note?: string };

export function makeTable<T>(
  head: Head,
  items: readonly T[],
  columns: readonly (readonly [Column, (item: T) => Cell])[],
): SectionOf<"table"> {
  return {
    kind: "table",
    ...head,
    columns: columns.map(([column]) => column),
    rows: items.map((item) => columns.map(([, write]) => write(item))),
  };
}

const share = (value: number): string => value.toFixed(3).replace(/^0/, "");

const membersNote = "on which all of them were asked; a missing answer counts as wrong for the member and as no vote.";

export function buildPanelSections(measure: PanelMeasure, notes: readonly string[] = []): Section[] {
  const byAccuracy = measure.members.toSorted((a, b) => b.accuracy - a.accuracy);
  return [
    {
      kind: "verdict",
      title: "Is this panel worth asking?",
      id: "panel",
      answer: sayWorth(measure),
      tone: "neutral",
      points: [...listPoints(measure), ...notes],
    },
    buildWaysTable(measure),
    makeTable({ title: "The members", note: `${formatCount(measure.n, "case")} ${membersNote}` }, byAccuracy, [
      ["member", ({ name }) => name],
      [numeric("right"), ({ accuracy }) => valueText(accuracy)],
      [numeric("95% interval"), ({ interval }) => formatRange(interval)],
      [numeric("answered"), ({ answered }) => valueText(answered)],
    ]),
  ];
}

/** One sentence for someone who considers paying for this panel. It claims a gain or loss only if the exact test does. */
export function sayWorth(measure: PanelMeasure): string {
  const { members, n_eff, stop_at_two } = measure;
  const worth =
    n_eff === null
      ? `How many independent votes these ${nameNumber(members.length)} are worth cannot be said: one of them is always right or always wrong.`
      : `These ${nameNumber(members.length)} are worth ${n_eff.toFixed(1)} independent votes.`;
  return `${worth} ${sayVote(measure)}; asking in order gets ${share(stop_at_two.accuracy)} with ${stop_at_two.calls.toFixed(1)} calls.`;
}

function sayVote({ members, against_single, n }: PanelMeasure): string {
  const times = members.length === 2 ? "twice" : `${nameNumber(members.length)} times`;
  const test = against_single.find(({ way }) => way === "vote");
  const differing = test ? test.wins + test.losses : 0;
  if (!test || differing < fewestDiffering)
    return `Whether a vote is better than the best of them cannot be said, since they differ on ${differing} of ${formatCount(n, "case")}, and it would cost ${times} as much`;
  const { estimate } = test.difference;
  const points = `${Math.abs(100 * estimate).toFixed(1)} points`;
  if (test.p >= 0.05)
    return `A vote would cost ${times} as much as the best of them alone and is not shown to be better or worse (${formatPoints(estimate)} points, p ${formatP(test.p)})`;
  return estimate > 0
    ? `A vote would gain ${points} over the best of them and cost ${times} as much`
    : `A vote would lose ${points} against the best of them alone and cost ${times} as much`;
}

const numberNames = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

function nameNumber(count: number): string {
  return numberNames[count] ?? String(count);
}

function listPoints(measure: PanelMeasure): string[] {
  const { beta, beta_upper, ceiling, unanimous, split, advice, ways, n } = measure;
  const advised = ways.find(({ use }) => use === advice);
  const agreed = (one: { share: number; accuracy: number | null }): string =>
    one.accuracy === null ? "none" : `${valueText(one.share)} of the cases, ${valueText(one.accuracy)} of them right`;
  return [
    n < fewestCases
      ? `Too few cases to recommend a way of asking them: there are ${n}, and at least ${fewestCases} are needed.`
      : `Recommended: ${adviceNames[advice]}. It gets ${share(advised?.accuracy ?? 0)} with ${(advised?.calls ?? 0).toFixed(1)} calls.`,
    `All are wrong on ${valueText(beta)} of ${formatCount(n, "case")} (at most ${valueText(beta_upper)}, with 95% certainty): no vote, router or debate among them can pass ${share(ceiling)}.`,
    `All agree: ${agreed(unanimous)}. They differ: ${agreed(split)}.`,
  ];
}

const adviceNames: Record<string, string> = {
  "best single": "ask the best member alone",
  "stop at two": "ask in order and stop when two agree",
  vote: "ask all and take a vote",
};

export function sayTest({ difference, p, wins, losses, exact }: PairedTest): string {
  const counts = `${formatCount(wins, "case")} won, ${losses} lost`;
  if (wins + losses < fewestDiffering) return `too few differing cases to tell (${counts})`;
  return `${formatPoints(difference.estimate)} points (${formatRange(difference)}; ${counts}; ${exact ? "exact " : ""}p ${formatP(p)})`;
}

function buildWaysTable(measure: PanelMeasure): Section {
  const { against_single, advice, members } = measure;
  const note = "Compared case by case with the best single member, which was chosen on other cases.";
  const ways = measure.ways.map((way) => ({
    ...way,
    test: against_single.find((one) => one.way === way.use),
  }));
  return makeTable({ title: "Ways of asking them", note }, ways, [
    ["way", ({ use }) => (use === advice ? { text: use, tone: "good" } : use)],
    [numeric("right"), ({ accuracy }) => valueText(accuracy)],
    [numeric("calls a case"), ({ calls }) => calls.toFixed(2)],
    [numeric("calls saved"), ({ calls }) => valueText(1 - calls / members.length)],
    [
      numeric("to the best single"),
      ({ test }) => (test ? { text: formatPoints(test.difference.estimate), note: formatRange(test.difference) } : ""),
    ],
    [
      numeric("p"),
      ({ test }) => (test ? (test.wins + test.losses < fewestDiffering ? "too few" : formatP(test.p)) : ""),
    ],
  ]);
}

export function buildJurySections({
  n,
  members,
  majority,
  learnt,
  against_majority: test,
  weights,
}: JuryMeasure): Section[] {
  const { accuracy, coverage } = learnt;
  const isShown = test.p < 0.05 && test.wins + test.losses >= fewestDiffering;
  const covered = (at: "0.05" | "0.10"): string =>
    coverage[at] === 0 ? "no share of them" : `the most certain ${valueText(coverage[at])}`;
  return [
    {
      kind: "verdict",
      title: "What are learnt weights worth?",
      answer: `Learnt weights are right in ${share(accuracy)}, a plain majority in ${share(majority)}`,
      tone: !isShown ? "neutral" : accuracy > majority ? "good" : "bad",
      points: [
        ...(isShown ? [] : ["Neither is shown to be better."]),
        `Learnt weights against the majority: ${sayTest(test)}.`,
        `${formatCount(n, "labelled case")}, ${formatCount(members.length, "member")}; every case was decided by weights that were learnt without it.`,
        `On these cases at most 5% of the decisions acted on are wrong for ${covered("0.05")}, at most 10% for ${covered("0.10")}. \`parley study certify\` says what may be promised for others.`,
      ],
    },
    makeTable(
      {
        title: "The weight of each member's vote",
        note: `Log odds, shrunk towards zero; below zero the member tends to be wrong.`,
      },
      Object.entries(weights).sort((a, b) => b[1] - a[1]),
      [
        ["member", ([member]) => member],
        [numeric("weight"), ([, weight]) => formatSigned(weight)],
      ],
    ),
  ];
}

const longer = [numeric("longer"), ({ prefers_longer }: JudgeCheck) => valueText(prefers_longer)] as const;

const judgeTones: Partial<Record<JudgeVerdict, Tone>> = { "fit to judge": "good", "biased but informative": "warn" };

export function buildJudgesSections(checks: readonly JudgeCheck[]): Section[] {
  const fit = checks.filter(({ verdict }) => verdict === "fit to judge");
  const guessing = checks.filter(({ verdict }) => verdict === "below chance" || verdict === "no better than chance");
  const none = checks.every(({ verdict }) => verdict === "too few cases")
    ? `Cannot say: each judged fewer than ${fewestCases} cases`
    : "None of them as they are";
  return [
    {
      kind: "verdict",
      title: "Which judges can be trusted?",
      answer:
        fit.length === 0 ? none : `${fit.length} of ${checks.length}: ${fit.map(({ judge }) => judge).join(", ")}`,
      tone: fit.length === 0 ? "bad" : "good",
      points:
        guessing.length === 0
          ? []
          : [
              `${guessing.length} are no better than chance: use them only with learnt weights (\`parley study jury\`).`,
            ],
    },
    makeTable(
      {
        title: "Each judge",
        note: "Right over both orders; the same winner when the answers change places; how often the first and the longer answer is picked (one half is no preference).",
      },
      checks.toSorted((a, b) => b.accuracy - a.accuracy),
      [
        ["judge", ({ judge }) => judge],
        ["verdict", ({ verdict }) => ({ text: verdict, tone: judgeTones[verdict] ?? "bad" })],
        [
          numeric("right"),
          ({ accuracy, interval: [low, high] }) => ({ text: valueText(accuracy), note: formatRange({ low, high }) }),
        ],
        [numeric("same"), ({ same_under_swap: share }) => valueText(share)],
        [numeric("first"), ({ prefers_first: share }) => valueText(share)],
        ...(checks.some(({ prefers_longer }) => prefers_longer !== null) ? [longer] : []),
      ],
    ),
  ];
}
