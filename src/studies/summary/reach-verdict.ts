import { detectableMeanDifference, boundDifference } from "../statistics/detectable-effect.ts";
import { formatCount, countText, formatPoints, formatP, formatRange, valueText } from "../../text/number-text.ts";
import type { ArmSummary } from "./summarise-arm.ts";
import type { Comparison } from "./compare-arms.ts";

/** Whether the debate was worth it, in one word and in sentences. */
export type Verdict = { answer: "yes" | "no" | "not_shown" | "cannot_say"; headline: string; sentences: string[] };

/** What is known about one comparison: better, worse, or too close to tell. */
export type Advantage = "better" | "worse" | "same" | "unclear";

/** A difference counts when its interval leaves zero out and its corrected p-value is under 0.05. */
export function judgeComparison({ difference, mcnemar }: Comparison): Advantage {
  if (difference.low === 0 && difference.high === 0 && mcnemar.onlyFirst + mcnemar.onlySecond === 0) return "same";
  if (difference.holm < 0.05 && difference.low > 0) return "better";
  if (difference.holm < 0.05 && difference.high < 0) return "worse";
  return "unclear";
}

/** Answers "was the debate worth it?" from the reference arm and its controls only (product spec §5). */
export function reachVerdict(
  arms: ArmSummary[],
  comparisons: Comparison[],
  leftOut: { name: string; reason: string }[],
): Verdict {
  const reference = arms.find((one) => one.arm.kind === "reference");
  const controls = arms.filter((one) => one.arm.kind === "control");
  const against = comparisons.filter((one) => controls.some((control) => control.arm.name === one.arm));
  const missing = leftOut.map(({ name, reason }) => `${name} was left out: ${reason}.`);
  if (!reference?.primary) return withholdVerdict("No case has gold, so nothing can be said about quality.", missing);
  if (against.length === 0)
    return withholdVerdict("No control arm ran beside the debate, so its worth cannot be told.", missing);
  const sentences = [
    ...against.map((one) => describeComparison(one, reference, arms)),
    ...explainFlips(reference),
    ...missing,
  ];
  const advantages = against.map(judgeComparison);
  const name = reference.arm.name;
  if (advantages.includes("worse"))
    return {
      answer: "no",
      headline: `No: on these cases ${name} is worse than ${nameArms(against, "worse")}.`,
      sentences,
    };
  if (advantages.every((one) => one === "better"))
    return { answer: "yes", headline: `Yes: on these cases ${name} is better than every control.`, sentences };
  if (advantages.every((one) => one === "same"))
    return { answer: "no", headline: `No: on these cases ${name} scores exactly as its controls do.`, sentences };
  const open = against.filter((one) => judgeComparison(one) !== "better").map((one) => one.arm);
  return {
    answer: "not_shown",
    headline: `Not shown: on these cases ${name} is not measurably better than ${open.join(" and ")}.`,
    sentences,
  };
}

function withholdVerdict(headline: string, sentences: string[]): Verdict {
  return { answer: "cannot_say", headline, sentences };
}

function nameArms(comparisons: Comparison[], advantage: Advantage): string {
  return comparisons
    .filter((one) => judgeComparison(one) === advantage)
    .map((one) => one.arm)
    .join(" and ");
}

function describeComparison(comparison: Comparison, reference: ArmSummary, arms: ArmSummary[]): string {
  const { difference: d, mcnemar, cases } = comparison;
  const other = arms.find((one) => one.arm.name === comparison.arm);
  const price = other ? formatCostRatio(reference, other) : "";
  const also = explainOtherMetrics(comparison);
  if (judgeComparison(comparison) === "same")
    return `Against ${comparison.arm}: the same on all ${cases} cases, so they differ on at most ${valueText(boundDifference(cases))} of such cases${price}.${also}`;
  const found = `${formatPoints(d.estimate)} points (95 % interval ${formatRange(d)}; right only here ${mcnemar.onlyFirst}, only there ${mcnemar.onlySecond}; McNemar p ${formatP(mcnemar.exactP)})`;
  return `Against ${comparison.arm}: ${found}${price}${judgeComparison(comparison) === "unclear" ? `. ${explainPower(comparison)}` : "."}${also}`;
}

/** Other metrics of single cases whose paired interval leaves zero out; a hint, since they are not corrected. */
function explainOtherMetrics({ metrics, difference }: Comparison): string {
  const found = Object.entries(metrics)
    .filter(([, { estimate, low, high }]) => (low > 0 || high < 0) && estimate !== difference.estimate)
    .sort(([, a], [, b]) => Math.abs(b.estimate) - Math.abs(a.estimate))
    .slice(0, 3)
    .map(([name, one]) => `${name} ${formatPoints(one.estimate)} (${formatRange(one)})`);
  return found.length === 0 ? "" : ` Not corrected for their number, these differ too: ${found.join(", ")}.`;
}

/** What these cases could have shown of the primary metric, from the width of the interval they gave. */
function explainPower({ cases, difference }: Comparison): string {
  const standardError = (difference.high - difference.low) / (2 * 1.96);
  const smallest = detectableMeanDifference(1, standardError) ?? 0;
  return `These ${countText(cases)} cases would have shown a difference of about ${formatPoints(smallest).replace("+", "")} points or more.`;
}

function explainFlips({ flips }: ArmSummary): string[] {
  const total = (key: "wrong_to_right" | "right_to_wrong" | "conformed"): number =>
    flips.reduce((sum, row) => sum + row[key], 0);
  if (flips.length === 0) return [];
  return [
    `Between rounds, speakers corrected ${formatCount(total("wrong_to_right"), "position")} and spoiled ${countText(total("right_to_wrong"))}; ${formatCount(total("conformed"), "time")} a speaker went over to the majority.`,
  ];
}

function formatCostRatio(reference: ArmSummary, other: ArmSummary): string {
  const per = (arm: ArmSummary): number => (arm.usage.inputTokens + arm.usage.outputTokens) / Math.max(1, arm.runs);
  if (per(reference) > 0 && per(other) > 0) return `, at ${(per(reference) / per(other)).toFixed(1)} times its tokens`;
  return "";
}
