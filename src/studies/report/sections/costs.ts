import type { Cell, Section } from "../../../contract/view.ts";
import { formatDuration } from "../../../text/duration.ts";
import { countText, formatShortCount, formatUsd } from "../../../text/number-text.ts";
import type { ArmSummary } from "../../summary/summarise-arm.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { buildArmCell } from "./arm-cell.ts";

/** What each arm costs, and quality over cost. */
export function buildCostsSection({ arms, manifest }: StudySummary): Section {
  const measure = chooseCostMeasure(arms);
  const points = arms
    .toReversed()
    .flatMap((one) =>
      one.primary
        ? [{ name: one.arm.name, group: one.arm.kind, cost: measure.of(asRun(one, arms)), quality: one.primary }]
        : [],
    );
  const redecided = arms.some((one) => one.arm.redecide !== null)
    ? " An arm decided on recorded turns stands where those turns were paid for."
    : "";
  return {
    kind: "group",
    title: "Cost and quality",
    id: "cost",
    sections: [
      {
        kind: "chart",
        title: `${manifest.primary} over ${measure.name}`,
        note: `Up and to the left is better. The dashed line joins the arms that no cheaper arm beats.${measure.note}${redecided}`,
        repeats: true,
        chart: { type: "cost", axes: { cost: measure.name, quality: manifest.primary }, points },
      },
      buildCostTable(arms),
      { kind: "text", title: "", text: explainSavings(arms) },
    ],
  };
}

function buildCostTable(arms: ArmSummary[]): Section {
  const numeric = (name: string, hint?: string) => ({ name, numeric: true, hint });
  return {
    kind: "table",
    title: "",
    columns: [
      "arm",
      numeric("calls per run", "calls to models, also those that came to nothing"),
      numeric("tokens per run"),
      numeric("cost per run"),
      numeric("time per run"),
      numeric("turns used again", "taken from another arm's recording instead of being asked again"),
      numeric("samples", "mean number of samples that fit the token budget of the reference"),
    ],
    rows: arms.map(rowOf),
  };
}

function rowOf(one: ArmSummary): Cell[] {
  const { spend, wallMs, callsSaved, samples } = one;
  const perRun = (value: number): number => value / Math.max(1, one.runs);
  return [
    buildArmCell(one),
    perRun(spend.calls).toFixed(1),
    formatShortCount(perRun(tokensOf(one))),
    formatUsd(spend.usd === null ? null : perRun(spend.usd)),
    formatDuration(perRun(wallMs)),
    callsSaved === 0 ? "–" : countText(callsSaved),
    samples === null ? "–" : samples.toFixed(1),
  ];
}

/** Tokens when any were paid; experts cost no tokens, so there the number of turns asked stands for cost. */
function chooseCostMeasure(arms: ArmSummary[]): { name: string; note: string; of(one: ArmSummary): number } {
  const perRun = (value: number, one: ArmSummary): number => value / Math.max(1, one.runs);
  if (arms.some((one) => tokensOf(one) > 0))
    return { name: "tokens per run", note: "", of: (one) => perRun(tokensOf(one), one) };
  const note = " These players cost no tokens, so the number of turns asked stands for cost.";
  return { name: "turns per run", note, of: (one) => perRun(one.usage.calls, one) };
}

/** What an arm would cost on its own: one that uses turns again costs what those turns cost. */
function asRun(one: ArmSummary, arms: ArmSummary[]): ArmSummary {
  return arms.find((other) => other.arm.name === one.arm.redecide) ?? one;
}

function explainSavings(arms: ArmSummary[]): string {
  const again = arms.filter((one) => one.callsSaved > 0);
  const total = again.reduce((sum, one) => sum + one.callsSaved, 0);
  if (total === 0) return "";
  const names = again.map((one) => one.arm.name).join(", ");
  const did = again.length === 1 ? "only changes rules and was" : "only change rules and were";
  return `${names} ${did} decided on recorded turns: ${countText(total)} calls were saved.`;
}

function tokensOf({ spend }: ArmSummary): number {
  return spend.tokens;
}
