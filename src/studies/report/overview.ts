import type { Cell, Column, Section, Tone } from "../../contract/view.ts";
import { sumWorstCases } from "../../engine/budget.ts";
import { suggestName } from "../../text/similar.ts";
import {
  countText,
  formatCount,
  formatP,
  formatPoints,
  formatRange,
  formatShortCount,
  formatUsd,
  valueText,
} from "../../text/format.ts";
import type { ArmSummary } from "../summary/summarise-arm.ts";
import type { StudySummary } from "../summary/summarise-study.ts";
import type { Comparison, Verdict } from "../summary/verdict.ts";
import type { RunSets } from "./details.ts";

/** A column of numbers. */
export const numeric = (name: string, hint?: string): Column => ({ name, numeric: true, hint });

/** What a study came to: the verdict, every arm on a line, and what a reader must know. The terminal shows no more than this. */
export function buildOverviewSections(summary: StudySummary, runs?: RunSets): Section[] {
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
    buildArmsTable(summary, runs),
    ...notices(summary),
  ];
}

const tones: Record<Verdict["answer"], Tone> = { yes: "good", no: "bad", not_shown: "warn", cannot_say: "neutral" };

function buildArmsTable(summary: StudySummary, runs?: RunSets): Section {
  const { arms, manifest } = summary;
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
      numeric("right", "cases whose primary metric is 1"),
      numeric(`to ${arms[0]?.arm.name ?? ""}`, "points, over the cases that both arms ended"),
      "",
      numeric("p (Holm)", "exact where cases are right or wrong; corrected for the number of arms"),
      numeric("cost per run"),
      ...(hasFailed ? [numeric("failed")] : []),
    ],
    rows: arms.map((one) => buildArmRow(one, summary, hasFailed, runs)),
  };
}

function buildArmRow(one: ArmSummary, { comparisons, arms }: StudySummary, hasFailed: boolean, runs?: RunSets): Cell[] {
  const { arm, primary, right } = one;
  const found = comparisons.find((other) => other.arm === arm.name);
  const standing = found && mirror(found.advantage);
  const differing = new Set(found ? [...found.onlyReference, ...found.onlyOther] : []);
  const names = [arm.name, arms[0]?.arm.name];
  return [
    { text: arm.name, runs: runs?.refer(`Runs of ${arm.name}`, (card) => card.arm === arm.name) },
    arm.kind,
    valueText(primary?.estimate),
    primary ? formatRange(primary) : "–",
    right
      ? {
          text: `${countText(right.estimate * right.cases)}/${countText(right.cases)}`,
          runs: runs?.refer(`Right runs of ${arm.name}`, (card) => card.arm === arm.name && card.right === true),
        }
      : "–",
    found
      ? {
          text: formatPoints(-found.difference.estimate),
          runs: runs?.refer(
            `Cases that only one of ${names.join(" and ")} has right`,
            (card) => names.includes(card.arm) && differing.has(card.case_id),
          ),
        }
      : "",
    standing ? { text: standing.replace("_", " "), tone: standingTones[standing] } : "",
    found ? formatP(found.holm) : "",
    describeCost(one),
    ...(hasFailed
      ? [
          {
            text: countText(failedOf(one)),
            runs: runs?.refer(
              `Runs of ${arm.name} that failed`,
              (card) => card.arm === arm.name && card.failure !== null,
            ),
          },
        ]
      : []),
  ];
}

function failedOf({ failures }: ArmSummary): number {
  return Object.values(failures).reduce((sum, count) => sum + count, 0);
}

/** What a run costs on average: tokens and USD where any were paid, else the turns that were asked. */
function describeCost({ spend, usage, runs }: ArmSummary): string {
  const per = (value: number): number => value / Math.max(1, runs);
  if (spend.tokens === 0) return `${per(usage.calls).toFixed(1)} turns`;
  const price = spend.usd === null ? "price unknown" : formatUsd(per(spend.usd));
  return `${formatShortCount(per(spend.tokens))} tokens, ${price}`;
}

/** The arm's side of a comparison that is stated from the reference's side. */
function mirror(advantage: Comparison["advantage"]): Comparison["advantage"] {
  if (advantage === "better") return "worse";
  return advantage === "worse" ? "better" : advantage;
}

const standingTones: Record<Comparison["advantage"], Tone> = {
  better: "good",
  worse: "bad",
  same: "neutral",
  unclear: "neutral",
  too_few: "neutral",
  open: "warn",
};

function notices({ missing, manifest, arms }: StudySummary): Section[] {
  const { dataset } = manifest;
  const withoutGold = dataset.cases - dataset.with_gold;
  const known = Object.keys(arms[0]?.metrics ?? {});
  const again = arms.filter((one) => one.callsSaved > 0);
  const saved = again.reduce((sum, one) => sum + one.callsSaved, 0);
  const texts = [
    ...(missing > 0
      ? [
          `${formatCount(missing, "run is", "runs are")} still missing; run the study again to add them. The numbers cover only the finished runs.`,
        ]
      : []),
    ...(manifest.metrics ?? [])
      .filter((name) => !known.includes(name))
      .map((name) => `There is no metric "${name}"${suggestName(name, known)}`),
    ...dataset.notes,
    ...manifest.notes,
    ...(withoutGold > 0
      ? [`${formatCount(withoutGold, "case has", "cases have")} no gold and count for cost only.`]
      : []),
    ...(saved > 0
      ? [
          `${again.map(({ arm }) => arm.name).join(", ")}: decided on recorded turns, so that ${countText(saved)} calls were saved.`,
        ]
      : []),
  ];
  return texts.map((text) => ({ kind: "text", title: "", text, tone: "warn" }));
}

/** The same as pictures: each arm's score, its difference to the reference, and quality over cost. */
export function buildCharts({ arms, comparisons, manifest }: StudySummary): Section {
  const [reference] = arms;
  const name = reference?.arm.name ?? "";
  const costName = arms.some(({ spend }) => spend.tokens > 0) ? "tokens per run" : "turns per run";
  const costOf = ({ arm }: ArmSummary): number => {
    // An arm that uses turns again costs what those turns cost.
    const paid = arms.find((one) => one.arm.name === (arm.redecide ?? arm.name));
    const spent = costName === "tokens per run" ? paid?.spend.tokens : paid?.usage.calls;
    return (spent ?? 0) / Math.max(1, paid?.runs ?? 1);
  };
  const scored = arms.flatMap((one) => (one.primary ? [{ one, value: one.primary }] : []));
  return {
    kind: "group",
    title: "Scores, differences and cost",
    id: "scores",
    sections: [
      {
        kind: "chart",
        title: `${manifest.primary} of each arm`,
        note: "With 95 % intervals over cases. A case without a decision counts as 0, one that failed not at all. The dashed line is the reference arm.",
        repeats: true,
        chart: {
          type: "forest",
          axis: `${manifest.primary}, per cent`,
          line: reference?.primary?.estimate ?? null,
          rows: scored.map(({ one: { arm }, value }) => ({ name: arm.name, group: arm.kind, value })),
        },
      },
      {
        kind: "chart",
        title: `Difference of ${name} to each arm`,
        note: "Right of the line the reference is better. Paired 95 % intervals over the cases that both arms ended.",
        repeats: true,
        chart: {
          type: "forest",
          axis: `points of ${manifest.primary}, better →`,
          line: 0,
          rows: comparisons.map(({ arm, difference }) => ({
            name: arm,
            group: arms.find((one) => one.arm.name === arm)?.arm.kind ?? "arm",
            value: difference,
          })),
        },
      },
      {
        kind: "chart",
        title: `${manifest.primary} over ${costName}`,
        note: "Up and to the left is better. The dashed line joins the arms that no cheaper arm beats.",
        repeats: true,
        chart: {
          type: "cost",
          axes: { cost: costName, quality: manifest.primary },
          points: scored.toReversed().map(({ one, value }) => ({
            name: one.arm.name,
            group: one.arm.kind,
            cost: costOf(one),
            quality: value,
          })),
        },
      },
    ],
  };
}

/** What the whole study cost. */
export function sumSpend(arms: readonly ArmSummary[]): string {
  const { calls, tokens, usd } = sumWorstCases(arms.map(({ spend }) => spend));
  return `${countText(calls)} calls, ${formatShortCount(tokens)} tokens, ${formatUsd(usd)}`;
}
