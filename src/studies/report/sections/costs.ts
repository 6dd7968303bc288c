import type { ArmSummary } from "../../summary/summarise-arm.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { colours } from "../charts/colours.ts";
import { costChart } from "../charts/cost-chart.ts";
import { drawChart } from "../charts/draw-chart.ts";
import { html, type Markup } from "../../../text/html.ts";
import { countText, shortCount, timeText, usdText } from "../../../text/number-text.ts";
import { type Cell, sortableTable } from "../table.ts";
import { armName } from "./scores.ts";

/** What each arm costs, and quality over cost. */
export function costs(summary: StudySummary): Markup {
  const { arms, manifest } = summary;
  const measure = costMeasure(arms);
  const ordered = arms.toReversed();
  const points = ordered.flatMap((one) =>
    one.primary
      ? [
          {
            name: one.arm.name,
            cost: measure.of(asRun(one, arms)),
            quality: one.primary,
            colour: colours[one.arm.kind],
          },
        ]
      : [],
  );
  return html`<h2 id="cost">Cost and quality</h2>
${points.length > 0 && drawChart(costChart(`${manifest.primary} over ${measure.name}`, measure.name, manifest.primary, points), html`Up and to the left is better. The dashed line joins the arms that no cheaper arm beats.${measure.note}${arms.some((one) => one.arm.redecide !== null) && " An arm decided on recorded turns stands where those turns were paid for."}`)}
${sortableTable(
  [
    { name: "arm" },
    { name: "calls a run", numeric: true },
    { name: "tokens a run", numeric: true },
    { name: "cost a run", numeric: true },
    { name: "time a run", numeric: true },
    {
      name: "turns used again",
      numeric: true,
      hint: "taken from another arm's recording instead of being asked again",
    },
    { name: "samples", numeric: true, hint: "mean number of samples that fit the token budget of the reference" },
  ],
  arms.map(rowOf),
)}${saved(arms)}`;
}

function rowOf(one: ArmSummary): Cell[] {
  const runs = Math.max(1, one.runs);
  const tokens = tokensOf(one) / runs;
  const usd = one.usage.costUsd === null ? null : one.usage.costUsd / runs;
  return [
    { show: armName(one), sort: one.arm.name },
    { show: (one.usage.calls / runs).toFixed(1), sort: one.usage.calls / runs },
    { show: shortCount(tokens), sort: tokens },
    { show: usdText(usd), sort: usd ?? -1 },
    { show: timeText(one.wallMs / runs), sort: one.wallMs / runs },
    { show: one.callsSaved === 0 ? "–" : countText(one.callsSaved), sort: one.callsSaved },
    { show: one.samples === null ? "–" : one.samples.toFixed(1), sort: one.samples ?? 0 },
  ];
}

/** Tokens when any were paid; experts cost no tokens, so there the number of turns asked stands for cost. */
function costMeasure(arms: ArmSummary[]): { name: string; note: string; of(one: ArmSummary): number } {
  const perRun = (value: number, one: ArmSummary): number => value / Math.max(1, one.runs);
  if (arms.some((one) => tokensOf(one) > 0))
    return { name: "tokens a run", note: "", of: (one) => perRun(tokensOf(one), one) };
  const note = " These players cost no tokens, so the number of turns asked stands for cost.";
  return { name: "turns a run", note, of: (one) => perRun(one.usage.calls, one) };
}

/** What an arm would cost on its own: one that uses turns again costs what those turns cost. */
function asRun(one: ArmSummary, arms: ArmSummary[]): ArmSummary {
  return arms.find((other) => other.arm.name === one.arm.redecide) ?? one;
}

function saved(arms: ArmSummary[]): Markup {
  const again = arms.filter((one) => one.callsSaved > 0);
  const total = again.reduce((sum, one) => sum + one.callsSaved, 0);
  if (total === 0) return html``;
  return html`<p>${again.map((one) => one.arm.name).join(", ")} only ${again.length === 1 ? "changes" : "change"} rules and ${again.length === 1 ? "was" : "were"} decided on recorded turns: <strong>${countText(total)} calls were saved</strong>.</p>`;
}

function tokensOf({ usage }: ArmSummary): number {
  return usage.inputTokens + usage.outputTokens;
}
