import type { ArmSummary, MetricSummary } from "../../summary/summarise-arm.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { colours } from "../charts/colours.ts";
import { drawChart } from "../charts/draw-chart.ts";
import { forestChart } from "../charts/forest-chart.ts";
import { html, type Markup } from "../../../text/html.ts";
import { countText, isShare, rangeText, valueText } from "../../../text/number-text.ts";
import type { RunIndex } from "../run-index.ts";
import { type Cell, type Column, sortableTable } from "../table.ts";

/** Each arm's score with its interval, as a plot and as a table with all metrics. */
export function scores(summary: StudySummary, index: RunIndex): Markup {
  const { arms, manifest } = summary;
  const rows = arms.flatMap(({ arm, primary }) =>
    primary ? [{ name: arm.name, interval: primary, colour: colours[arm.kind] }] : [],
  );
  const line = arms.find((one) => one.arm.kind === "reference")?.primary?.estimate ?? null;
  return html`<h2 id="scores">Score of each arm</h2>
${rows.length > 0 && drawChart(forestChart(`${manifest.primary} of each arm with its 95 % interval`, `${manifest.primary}, per cent`, rows, line), html`${manifest.primary} over all cases, with 95 % intervals over cases. A case without a decision counts as 0. The dashed line is the reference arm.`)}
${sortableTable(
  columnsOf(summary),
  arms.map((arm) => rowOf(arm, summary, index)),
  "Scores with 95 % intervals; underlined numbers lead to their runs",
)}`;
}

/** The metrics to show: the listed ones, or all; the primary metric has a column of its own. */
export function shownMetrics({ arms, manifest }: StudySummary): string[] {
  const all = [...new Set(arms.flatMap((arm) => Object.keys(arm.metrics)))];
  return (manifest.metrics ?? all).filter((name) => name !== manifest.primary && all.includes(name));
}

function columnsOf(summary: StudySummary): Column[] {
  const names = shownMetrics(summary);
  return [
    { name: "arm" },
    { name: summary.manifest.primary, numeric: true },
    { name: "cases right", numeric: true, hint: "cases whose primary metric is 1" },
    ...names.map((name) => ({ name, numeric: true })),
    ...(hasSeeds(summary)
      ? [{ name: "steady", numeric: true, hint: "cases that are right with every seed or with none" }]
      : []),
    { name: "decided", numeric: true },
    { name: "failed", numeric: true },
  ];
}

function rowOf(one: ArmSummary, summary: StudySummary, index: RunIndex): Cell[] {
  const { arm, outcomes } = one;
  const all = (text: Markup | string): Markup =>
    index.link(text, `Runs of ${arm.name}`, (card) => card.arm === arm.name);
  return [
    { show: armName(one), sort: arm.name },
    metricCell(one.primary, all),
    rightCell(one, index),
    ...shownMetrics(summary).map((name) => metricCell(one.metrics[name] ?? null, all)),
    ...(hasSeeds(summary) ? [{ show: valueText(one.steady), sort: one.steady ?? -1 }] : []),
    outcomeCell(one, index, ["decided"], outcomes.decided ?? 0),
    outcomeCell(one, index, ["failed", "budget_exhausted"], (outcomes.failed ?? 0) + (outcomes.budget_exhausted ?? 0)),
  ];
}

function hasSeeds({ manifest }: StudySummary): boolean {
  return manifest.seeds.length > 1;
}

/** An arm's name with what kind of arm it is. */
export function armName({ arm }: ArmSummary): Markup {
  return html`${arm.name}<span class="tag ${arm.kind}">${arm.kind}</span>${arm.about && html`<span class="sub">${arm.about}</span>`}`;
}

/** A value with its interval under it. */
export function metricCell(metric: MetricSummary | null, link: (text: Markup) => Markup): Cell {
  if (!metric) return { show: "–", sort: -1 };
  const share = isShare([metric.low, metric.high]);
  const shown = html`${link(html`${valueText(metric.estimate, share)}`)}<span class="sub">${rangeText(metric, share)}</span>`;
  return { show: shown, sort: metric.estimate };
}

function rightCell({ arm, right }: ArmSummary, index: RunIndex): Cell {
  if (!right) return { show: "–", sort: -1 };
  const count = Math.round(right.estimate * right.cases);
  const text = `${countText(count)} of ${countText(right.cases)}`;
  const shown = index.link(text, `Right runs of ${arm.name}`, (card) => card.arm === arm.name && card.right === true);
  return { show: html`${shown}<span class="sub">${rangeText(right)} %</span>`, sort: right.estimate };
}

function outcomeCell({ arm }: ArmSummary, index: RunIndex, kinds: string[], count: number): Cell {
  const title = `Runs of ${arm.name} that ended ${kinds.join(" or ")}`;
  const shown = index.link(countText(count), title, (card) => card.arm === arm.name && kinds.includes(card.outcome));
  return { show: count === 0 ? "0" : shown, sort: count };
}
