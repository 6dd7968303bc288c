import type { WorstCase } from "../contract/budget.ts";
import type { Section } from "../contract/view.ts";
import { countText, formatUsd } from "../text/format.ts";
import { buildOverviewSections } from "./report/study-sections.ts";
import type { ArmSummary, StudySummary } from "./summary/summarise-study.ts";

export type Advice = { use: string; answer: "debate" | "control" | "not_shown"; cases: number; whole: WorstCase };

/**
 * Advises which arm to use: a debate only if it is shown to beat every control; if it is shown to be worse, the
 * control that beat it by most; otherwise the cheapest control. `whole` is the number of cases in the data.
 */
export function reachAdvice({ arms, comparisons, verdict }: StudySummary, whole: number): Advice {
  const controls = arms.filter(
    ({ arm, primary, undecided, runs }) => arm.kind === "control" && primary !== null && undecided < runs,
  );
  const lossTo = ({ arm }: ArmSummary): number => {
    const found = comparisons.find((one) => one.arm === arm.name);
    return found?.advantage === "worse" ? -found.difference.estimate : 0;
  };
  const better = controls.filter((one) => lossTo(one) > 0).toSorted((a, b) => lossTo(b) - lossTo(a))[0];
  const cheapest = controls.toSorted(
    (a, b) => costOf(a).tokens - costOf(b).tokens || costOf(a).calls - costOf(b).calls,
  )[0];
  const chosen = verdict.answer === "yes" ? arms[0] : (better ?? cheapest ?? arms[0]);
  const each = chosen ? costOf(chosen) : { calls: 0, tokens: 0, usd: 0 };
  return {
    use: chosen?.arm.name ?? "",
    answer: verdict.answer === "yes" ? "debate" : better ? "control" : "not_shown",
    cases: Math.min(...arms.map(({ cases }) => cases)),
    whole: { calls: each.calls * whole, tokens: each.tokens * whole, usd: each.usd === null ? null : each.usd * whole },
  };
}

function costOf({ spend, runs }: ArmSummary): WorstCase {
  const per = (value: number): number => value / Math.max(1, runs);
  return { calls: per(spend.calls), tokens: per(spend.tokens), usd: spend.usd === null ? null : per(spend.usd) };
}

export function buildAdviceSections(advice: Advice, pilot: StudySummary, whole: number): Section[] {
  const { use, answer } = advice;
  const { calls, tokens, usd } = advice.whole;
  const why = {
    debate: "it is shown to beat every control",
    control: "the debate is shown to be worse",
    not_shown: "no gain of the debate is shown, and this is the cheapest control",
  }[answer];
  return [
    {
      kind: "verdict",
      title: "Which arm for this data?",
      answer: `Use ${use}: ${why}`,
      tone: answer === "debate" ? "good" : answer === "control" ? "bad" : "neutral",
      points: [
        `${use} on all ${countText(whole)} cases: about ${countText(calls)} calls, ${countText(tokens)} tokens, ${usd === null ? "price unknown" : formatUsd(usd)}.`,
      ],
    },
    ...buildOverviewSections(pilot),
  ];
}
