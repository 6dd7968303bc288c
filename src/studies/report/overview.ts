import type { Scorecard } from "../results/results.ts";
import { sumWorstCases } from "../../engine/budget.ts";
import type { Cell, Section, Tone, Column } from "../../contract/view.ts";
import { formatDuration } from "../../text/duration.ts";
import { suggestName } from "../../text/nearest-name.ts";
import {
  formatCount,
  countText,
  formatPoints,
  formatP,
  formatRange,
  formatShortCount,
  formatUsd,
  valueText,
  isShare,
} from "../../text/number-text.ts";
import type { ArmSummary, MetricSummary } from "../summary/summarise-arm.ts";
import type { StudySummary } from "../summary/summarise-study.ts";
import type { Comparison, Verdict } from "../summary/verdict.ts";
import type { RunSets } from "./details.ts";

/** What a study came to: the verdict, every arm on a line, and what a reader must know. The terminal shows no more than this. */
export function buildOverviewSections(summary: StudySummary): Section[] {
  const { headline, sentences, answer } = summary.verdict;
  return [
    {
      kind: "verdict",
      title: "Was the debate worth it?",
      id: "verdict",
      answer: headline,
      tone: tones[answer],
      points: sentences,
    },
    buildArmsTable(summary),
    ...notices(summary),
  ];
}

const tones: Record<Verdict["answer"], Tone> = { yes: "good", no: "bad", not_shown: "warn", cannot_say: "neutral" };

function buildArmsTable(summary: StudySummary): Section {
  const { arms, manifest } = summary;
  const numeric = (name: string) => ({ name, numeric: true });
  const hasFailed = arms.some((one) => failedOf(one) > 0);
  return {
    kind: "table",
    title: "The arms",
    id: "arms",
    columns: [
      "arm",
      "kind",
      numeric(manifest.primary),
      numeric("95 % interval"),
      numeric("right"),
      numeric(`to ${arms[0]?.arm.name ?? ""}`),
      "",
      numeric("p (Holm)"),
      numeric("cost per run"),
      ...(hasFailed ? [numeric("failed")] : []),
    ],
    rows: arms.map((one) => buildArmRow(one, summary, hasFailed)),
  };
}

function failedOf({ failures }: ArmSummary): number {
  return Object.values(failures).reduce((sum, count) => sum + count, 0);
}

function buildArmRow(one: ArmSummary, { comparisons }: StudySummary, hasFailed: boolean): Cell[] {
  const { arm, primary, right, usage, spend, runs } = one;
  const comparison = comparisons.find((other) => other.arm === arm.name);
  const tokens = spend.tokens / Math.max(1, runs);
  const standing = comparison && mirror(comparison.advantage);
  return [
    arm.name,
    arm.kind,
    valueText(primary?.estimate),
    primary ? formatRange(primary) : "–",
    right ? `${countText(right.estimate * right.cases)}/${countText(right.cases)}` : "–",
    comparison ? formatPoints(-comparison.difference.estimate) : "",
    standing ? { text: standing.replace("_", " "), tone: standingTones[standing] } : "",
    comparison ? formatP(comparison.holm) : "",
    tokens > 0 ? `${formatShortCount(tokens)} tokens` : `${(usage.calls / Math.max(1, runs)).toFixed(1)} turns`,
    ...(hasFailed ? [countText(failedOf(one))] : []),
  ];
}

/** The arm's side of a comparison that is stated from the reference's side. */
function mirror(advantage: Comparison["advantage"]): Comparison["advantage"] {
  if (advantage === "better") return "worse";
  return advantage === "worse" ? "better" : advantage;
}

/** The colour of a comparison, from the side of the arm that it is about. */
export const standingTones: Record<Comparison["advantage"], Tone> = {
  better: "good",
  worse: "bad",
  same: "neutral",
  unclear: "neutral",
  too_few: "neutral",
  open: "warn",
};

function notices({ missing, manifest, unknownMetrics, arms }: StudySummary): Section[] {
  const { dataset } = manifest;
  const withoutGold = dataset.cases - dataset.with_gold;
  const texts = [
    ...(missing > 0
      ? [
          `${formatCount(missing, "run is", "runs are")} still missing; run the study again to add them. The numbers are about what is there.`,
        ]
      : []),
    ...unknownMetrics.map(
      (name) => `There is no metric "${name}"${suggestName(name, Object.keys(arms[0]?.metrics ?? {}))}`,
    ),
    ...dataset.notes,
    ...manifest.notes,
    ...(withoutGold > 0
      ? [`${formatCount(withoutGold, "case has", "cases have")} no gold and count for cost only.`]
      : []),
  ];
  return texts.map((text) => ({ kind: "text", title: "", text, tone: "warn" }));
}

/** How large the study was, and what all of it cost. */
export function buildSizeSection({ manifest, arms }: StudySummary): Section {
  const spend = sumWorstCases(arms.map((one) => one.spend));
  const total = (of: (one: ArmSummary) => number): number => arms.reduce((sum, one) => sum + of(one), 0);
  const saved = total((one) => one.callsSaved);
  const rows = [
    { label: "cases", value: countText(manifest.dataset.cases) },
    { label: "arms", value: countText(arms.length) },
    { label: "seeds", value: countText(manifest.seeds.length) },
    { label: "runs", value: countText(total((one) => one.runs)) },
    { label: "model calls", value: countText(spend.calls) },
    { label: "tokens", value: formatShortCount(spend.tokens) },
    { label: "cost", value: formatUsd(spend.usd) },
    { label: "time in runs", value: formatDuration(total((one) => one.wallMs)) },
    ...(saved > 0 ? [{ label: "turns used again", value: countText(saved) }] : []),
  ];
  return { kind: "facts", title: "Size", id: "size", rows };
}

/** Each arm's score with its interval, as a plot and as a table with all metrics. */
export function buildScoresSection(summary: StudySummary, runs: RunSets): Section {
  const { arms, manifest } = summary;
  const rows = arms.flatMap(({ arm, primary }) =>
    primary ? [{ name: arm.name, group: arm.kind, value: primary }] : [],
  );
  const line = arms.find((one) => one.arm.kind === "reference")?.primary?.estimate ?? null;
  return {
    kind: "group",
    title: "Score of each arm",
    id: "scores",
    sections: [
      {
        kind: "chart",
        title: `${manifest.primary} of each arm`,
        note: "Over all cases, with 95 % intervals over cases. A case without a decision counts as 0, one that failed not at all. The dashed line is the reference arm.",
        repeats: true,
        chart: { type: "forest", axis: `${manifest.primary}, per cent`, line, rows },
      },
      {
        kind: "table",
        title: "",
        note: "Scores with 95 % intervals; underlined numbers lead to their runs.",
        columns: columnsOf(summary),
        rows: arms.map((arm) => rowOf(arm, summary, runs)),
      },
    ],
  };
}

/** The metrics to show: the listed ones, or all; the primary metric has a column of its own. */
function pickShownMetrics({ arms, manifest }: StudySummary): string[] {
  const all = [...new Set(arms.flatMap((arm) => Object.keys(arm.metrics)))];
  return (manifest.metrics ?? all).filter((name) => name !== manifest.primary && all.includes(name));
}

function columnsOf(summary: StudySummary): Column[] {
  const steady = { name: "steady", numeric: true, hint: "cases that are right with every seed or with none" };
  return [
    "arm",
    { name: summary.manifest.primary, numeric: true },
    { name: "cases right", numeric: true, hint: "cases whose primary metric is 1" },
    ...pickShownMetrics(summary).map((name) => ({ name, numeric: true })),
    ...(hasSeeds(summary) ? [steady] : []),
    { name: "decided", numeric: true },
    { name: "failed", numeric: true },
  ];
}

function rowOf(one: ArmSummary, summary: StudySummary, runs: RunSets): Cell[] {
  const { arm } = one;
  const all = runs.refer(`Runs of ${arm.name}`, (card) => card.arm === arm.name);
  return [
    buildArmCell(one),
    metricCell(one.primary, all),
    rightCell(one, runs),
    ...pickShownMetrics(summary).map((name) => metricCell(one.metrics[name], all)),
    ...(hasSeeds(summary) ? [valueText(one.steady)] : []),
    countCell(one, runs, "decided", one.outcomes.decided ?? 0, (card) => card.outcome === "decided"),
    countCell(one, runs, "failed", failedOf(one), (card) => card.failure !== null),
  ];
}

function hasSeeds({ manifest }: StudySummary): boolean {
  return manifest.seeds.length > 1;
}

function rightCell({ arm, right }: ArmSummary, runs: RunSets): Cell {
  if (!right) return "–";
  const count = Math.round(right.estimate * right.cases);
  return {
    text: `${countText(count)} of ${countText(right.cases)}`,
    note: `${formatRange(right)} %`,
    runs: runs.refer(`Right runs of ${arm.name}`, (card) => card.arm === arm.name && card.right === true),
  };
}

function countCell(
  { arm }: ArmSummary,
  runs: RunSets,
  what: string,
  count: number,
  holds: (card: Scorecard) => boolean,
): Cell {
  const set = runs.refer(`Runs of ${arm.name} that ${what}`, (card) => card.arm === arm.name && holds(card));
  return { text: countText(count), runs: set };
}

/** An arm's name with what kind of arm it is and what it is about. */
export function buildArmCell({ arm }: ArmSummary): Cell {
  return { text: arm.name, tag: arm.kind, ...(arm.about === null ? {} : { note: arm.about }) };
}

/** A value with its interval under it. */
export function metricCell(metric: MetricSummary | null | undefined, runs?: string): Cell {
  if (!metric) return "–";
  const share = isShare([metric.low, metric.high]);
  return { text: valueText(metric.estimate, share), note: formatRange(metric, share), runs };
}
