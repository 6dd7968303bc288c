import { sumWorstCases } from "../../../engine/budget.ts";
import type { Cell, Section, Tone } from "../../../contract/view.ts";
import { formatDuration } from "../../../text/duration.ts";
import { suggestName } from "../../../text/nearest-name.ts";
import {
  formatCount,
  countText,
  formatPoints,
  formatP,
  formatRange,
  formatShortCount,
  formatUsd,
  valueText,
} from "../../../text/number-text.ts";
import type { ArmSummary } from "../../summary/summarise-arm.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { judgeComparison, type Verdict } from "../../summary/reach-verdict.ts";

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

function failedOf({ outcomes }: ArmSummary): number {
  return (outcomes.failed ?? 0) + (outcomes.budget_exhausted ?? 0);
}

function buildArmRow(one: ArmSummary, { comparisons }: StudySummary, hasFailed: boolean): Cell[] {
  const { arm, primary, right, usage, spend, runs } = one;
  const comparison = comparisons.find((other) => other.arm === arm.name);
  const tokens = spend.tokens / Math.max(1, runs);
  const standing = comparison && mirrored[judgeComparison(comparison)];
  return [
    arm.name,
    arm.kind,
    valueText(primary?.estimate),
    primary ? formatRange(primary) : "–",
    right ? `${countText(right.estimate * right.cases)}/${countText(right.cases)}` : "–",
    comparison ? formatPoints(-comparison.difference.estimate) : "",
    standing ? { text: standing, tone: standingTones[standing] } : "",
    comparison ? formatP(comparison.difference.holm) : "",
    tokens > 0 ? `${formatShortCount(tokens)} tokens` : `${(usage.calls / Math.max(1, runs)).toFixed(1)} turns`,
    ...(hasFailed ? [countText(failedOf(one))] : []),
  ];
}

/** The arm's side of a comparison that is stated from the reference's side. */
const mirrored = { better: "worse", worse: "better", same: "same", unclear: "unclear" } as const;
const standingTones: Record<keyof typeof mirrored, Tone> = {
  better: "good",
  worse: "bad",
  same: "neutral",
  unclear: "neutral",
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
