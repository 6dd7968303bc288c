import { countText, formatCount, formatP, formatPoints, formatRange, valueText } from "../../text/format.ts";
import type { StudyManifest } from "../results/results.ts";
import { boundDifference, fewestDiffering, holm, type PairedTest, testPaired } from "../statistics/statistics.ts";
import { type ArmData, type ArmSummary, averageByCase } from "./summarise-study.ts";

type Advantage = "better" | "worse" | "same" | "unclear" | "too_few" | "open";

/** The reference against another arm on the cases both finished; `holm` is the p-value corrected for the number of arms. */
export type Comparison = PairedTest & {
  arm: string;
  cases: number;
  holm: number;
  compared: number;
  /** Cases with gold that one of the two did not finish: failed, unreadable, out of budget or not run. */
  lacking: number;
  /** Results on the cases both decided; null when they decided everything they finished. */
  bothDecided: { wins: number; losses: number } | null;
  advantage: Advantage;
};

export function compareArms(reference: ArmData, others: ArmData[], planned: number): Comparison[] {
  const plain = others.flatMap((other) => compare(reference, other, planned) ?? []);
  const corrected = holm(plain.map(({ test }) => test.p));
  return plain.map(({ test, scores, ...rest }, i) => {
    const found = { ...test, ...rest, holm: corrected[i] as number, compared: plain.length };
    return { ...found, advantage: judge(found, scores) };
  });
}

type Scores = { first: number[]; second: number[] };
type Means = ReadonlyMap<string, number>;

function compare(reference: ArmData, other: ArmData, planned: number) {
  const theirs = averageByCase(other, (card) => card.primary);
  const own = averageByCase(reference, (card) => card.primary);
  const ids = [...theirs.keys()].filter((id) => own.has(id)).sort();
  if (ids.length === 0) return null;
  const of = (means: Means): number[] => ids.map((id) => means.get(id) ?? 0);
  const scores = { first: of(theirs), second: of(own) };
  return {
    arm: other.name,
    cases: ids.length,
    lacking: Math.max(0, planned - countEnded(reference, other)),
    bothDecided: countDecided(ids, reference, other, { own, theirs }),
    test: testPaired(scores.first, scores.second),
    scores,
  };
}

function countDecided(ids: string[], reference: ArmData, other: ArmData, means: { own: Means; theirs: Means }) {
  const isDecided = (arm: ArmData, id: string): boolean =>
    (arm.byCase.get(id) ?? []).every(({ outcome }) => outcome === "decided");
  const decided = ids.filter((id) => isDecided(reference, id) && isDecided(other, id));
  if (decided.length === ids.length) return null;
  const gains = decided.map((id) => (means.own.get(id) ?? 0) - (means.theirs.get(id) ?? 0));
  return { wins: gains.filter((gain) => gain > 0).length, losses: gains.filter((gain) => gain < 0).length };
}

function countEnded(reference: ArmData, other: ArmData): number {
  const ended = (arm: ArmData, id: string): boolean =>
    (arm.byCase.get(id) ?? []).some(({ failure }) => failure === null);
  return [...reference.byCase.keys()].filter((id) => ended(reference, id) && ended(other, id)).length;
}

const level = 0.05;
/** Arms that never differed count as the same only if they can differ on at most this share of cases. */
const sameWithin = 0.05;

/** A difference counts if its corrected p is significant, even if every unfinished case had gone the other way. */
function judge(found: Omit<Comparison, "advantage">, { first, second }: Scores): Advantage {
  const { wins, losses, difference, lacking, cases, compared } = found;
  if (wins + losses === 0 && boundDifference(cases) <= sameWithin) return lacking > 0 ? "open" : "same";
  if (wins + losses < fewestDiffering) return "too_few";
  if (found.holm >= level) return "unclear";
  const isBetter = difference.estimate > 0;
  const against = Array.from({ length: lacking }, () => (isBetter ? 1 : 0));
  const worst = testPaired([...first, ...against], [...second, ...against.map((one) => 1 - one)]);
  const holds = worst.p * compared < level && worst.difference.estimate > 0 === isBetter;
  return lacking > 0 && !holds ? "open" : isBetter ? "better" : "worse";
}

export type Verdict = { answer: "yes" | "no" | "not_shown" | "cannot_say"; headline: string; sentences: string[] };

/** Answers "was the debate worth it?" from the reference and the controls that ran (product spec §5). */
export function reachVerdict(
  arms: ArmSummary[],
  comparisons: Comparison[],
  manifest: StudyManifest,
  runs: { missing: number; total: number },
): Verdict {
  const reference = arms.find((one) => one.arm.kind === "reference");
  const controls = arms.filter((one) => one.arm.kind === "control");
  const ran = controls.filter(({ runs, undecided }) => undecided < runs);
  const against = comparisons.filter((one) => ran.some((control) => control.arm.name === one.arm));
  const hasGold = manifest.dataset.with_gold > 0;
  const troubles = [
    ...controls
      .filter(({ arm }) => hasGold && !comparisons.some((one) => one.arm === arm.name))
      .map(({ arm }) => `${arm.name} finished no case that ${reference?.arm.name ?? "the debate"} finished.`),
    ...manifest.left_out.map(({ name, reason }) => `${name} was left out: ${reason}.`),
    ...nameUndecided(arms),
    ...arms.flatMap(nameFailures),
    ...(runs.missing > 0 ? [`${formatCount(runs.missing, "run is", "runs are")} missing of ${runs.total}.`] : []),
  ];
  const withhold = (headline: string): Verdict => ({ answer: "cannot_say", headline, sentences: troubles });
  if (!reference || !hasGold) return withhold("No case has gold, so nothing can be said about quality.");
  if (!reference.primary) return withhold(`Cannot say: ${reference.arm.name} finished no case.`);
  if (against.length === 0) return withhold("Cannot say: no control decided any case that the debate finished.");
  const found = sayHeadline(reference.arm.name, against, controls.length > against.length);
  const isRecorded = arms.every(({ usage }) => usage.calls === 0);
  const plumbing = findPlumbing(manifest, isRecorded);
  return {
    ...(plumbing === null ? found : { answer: "cannot_say", headline: plumbing }),
    sentences: [
      ...describeComparisons(against, reference, arms),
      ...(isRecorded ? ["No model was called: the rules were applied to recorded turns."] : []),
      ...troubles,
    ],
  };
}

function findPlumbing({ dataset, models }: StudyManifest, isRecorded: boolean): string | null {
  if (dataset.made_up)
    return "Cannot say: these cases were written to test the rules, so this is a test of the plumbing.";
  if (isRecorded || models.length === 0 || models.some((player) => player !== "expert")) return null;
  return "Cannot say: only programs played, so this is a test of the plumbing and shows nothing about models.";
}

function sayHeadline(name: string, against: Comparison[], isPartial: boolean): Omit<Verdict, "sentences"> {
  const named = (advantage: Advantage): string =>
    joinNames(against.flatMap((one) => (one.advantage === advantage ? [one.arm] : [])));
  const all = (advantage: Advantage): boolean => against.every((one) => one.advantage === advantage);
  const has = (advantage: Advantage): boolean => against.some((one) => one.advantage === advantage);
  const say = (answer: Verdict["answer"], headline: string) => ({ answer, headline });
  if (has("open"))
    return say(
      "cannot_say",
      `Cannot say: cases that failed or are missing could reverse the comparison of ${name} with ${named("open")}.`,
    );
  if (has("worse")) return say("no", `No: on these cases ${name} is worse than ${named("worse")}.`);
  if (isPartial) return say("cannot_say", `Cannot say: not every control decided cases that ${name} finished.`);
  if (all("better")) return say("yes", `Yes: on these cases ${name} is better than every control that ran.`);
  if (all("same")) return say("no", `No: on these cases ${name} scores exactly as the controls that ran do.`);
  if (has("too_few")) {
    const few = against.filter(({ advantage }) => advantage === "too_few");
    const counts = joinNames(few.map(({ wins, losses }) => countText(wins + losses)));
    return say(
      "not_shown",
      `Not shown: ${name} differs from ${named("too_few")} on too few cases to tell (${counts}; at least ${fewestDiffering} are needed).`,
    );
  }
  const open = against.filter(({ advantage }) => advantage !== "better").map((one) => one.arm);
  return say("not_shown", `Not shown: on these cases ${name} is not measurably better than ${joinNames(open)}.`);
}

function joinNames(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
}

function nameFailures({ arm, failures, runs }: ArmSummary): string[] {
  const kinds = Object.entries(failures).map(([kind, count]) => `${count} ${kind}`);
  return kinds.length === 0
    ? []
    : [`${arm.name}: of ${formatCount(runs, "run")} ${kinds.join(", ")}; they are not counted.`];
}

function nameUndecided(arms: ArmSummary[]): string[] {
  const open = arms.filter(({ undecided }) => undecided > 0);
  const counts = open.map(({ arm, undecided, runs }) => `${arm.name} ${countText(undecided)} of ${countText(runs)}`);
  return open.length === 0 ? [] : [`Ended without a decision, which scores 0: ${counts.join(", ")}.`];
}

/** One sentence per control; controls that came out alike share one. */
function describeComparisons(against: Comparison[], reference: ArmSummary, arms: ArmSummary[]): string[] {
  const alike = Map.groupBy(against, (one) => describeComparison(one, reference, arms));
  return [...alike].map(([found, same]) => `Against ${joinNames(same.map(({ arm }) => arm))}: ${found}`);
}

function describeComparison(comparison: Comparison, reference: ArmSummary, arms: ArmSummary[]): string {
  const { difference: d, wins, losses, cases, exact, advantage, lacking, bothDecided, compared } = comparison;
  const other = arms.find((one) => one.arm.name === comparison.arm);
  const price = other ? formatCostRatio(reference, other) : "";
  const only = lacking > 0 ? ` (${formatCount(lacking, "case")} lacking)` : "";
  const decided = bothDecided
    ? `; where both decided, better on ${bothDecided.wins}, worse on ${bothDecided.losses}`
    : "";
  if (wins + losses === 0)
    return `the same on all ${formatCount(cases, "case")}${only}, so they differ on at most ${valueText(boundDifference(cases))} of such cases${price}.`;
  const counts = `better on ${wins}, worse on ${losses} of ${formatCount(cases, "case")}${only}${decided}`;
  if (advantage === "too_few") return `${counts}; too few to tell them apart${price}.`;
  const corrected = compared > 1 ? `, corrected for ${compared} arms` : "";
  const test = `${exact ? "exact " : ""}p ${formatP(comparison.holm)}${corrected}`;
  const found = `${formatPoints(d.estimate)} points (95% interval ${formatRange(d)}; ${counts}; ${test})`;
  return `${found}${price}.`;
}

/** Over runs that did not fail, since failed runs paid little. */
function formatCostRatio(reference: ArmSummary, other: ArmSummary): string {
  const per = ({ usage, runs, failures }: ArmSummary): number => {
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    return (usage.inputTokens + usage.outputTokens) / Math.max(1, runs - failed);
  };
  if (per(reference) > 0 && per(other) > 0) return `, at ${(per(reference) / per(other)).toFixed(1)} times its tokens`;
  return "";
}
