import {
  counted,
  countText,
  pointsText,
  pText,
  rangeText,
  shortCount,
  timeText,
  usdText,
  valueText,
} from "../../text/number-text.ts";
import type { StudyManifest } from "../../studies/results/study-manifest.ts";
import type { StudyProgress } from "../../studies/run/run-study.ts";
import { detectableEffects, type StudySummary } from "../../studies/summary/summarise-study.ts";
import { judgeComparison } from "../../studies/summary/reach-verdict.ts";

/** What a study is going to do, and what it can find at all; said before it runs. */
export function plannedText(manifest: StudyManifest, { total, done }: { total: number; done: number }): string {
  const { dataset, arms, seeds } = manifest;
  const names = arms.map((arm) => arm.name).join(", ");
  const sizes = `${counted(dataset.cases, "case")} × ${counted(arms.length, "arm")} (${names}) × ${counted(seeds.length, "seed")} = ${counted(total, "run")}`;
  const power = powerText(dataset.with_gold);
  const lines = [sizes, done > 0 ? `${countText(done)} of them are done already.` : "", power];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

/** What so many cases can show at all. */
function powerText(cases: number): string {
  if (cases === 0) return "No case has gold: only costs can be compared.";
  const effects = detectableEffects(cases).filter((one) => one.difference !== null);
  const middle = effects.find((one) => one.discordance === 0.1) ?? effects.at(-1);
  if (!middle)
    return `With ${counted(cases, "case")} no difference can be found reliably: look at single cases, not at the scores.`;
  const points = pointsText(middle.difference).replace("+", "");
  return `With ${countText(cases)} cases a difference of ${points} points can be found if two arms differ on ${valueText(middle.discordance)} of them (5 % two-sided, power 80 %).`;
}

/** One line of progress: done, rate, time left, spend. */
export function progressText(progress: StudyProgress, elapsedMs: number): string {
  const { done, before, total, failed, tokens, costUsd } = progress;
  const rate = (done - before) / Math.max(0.001, elapsedMs / 1000);
  const left = rate > 0 ? timeText(((total - done) / rate) * 1000) : "?";
  const spend = tokens > 0 ? ` · ${shortCount(tokens)} tokens${costUsd === null ? "" : ` · ${usdText(costUsd)}`}` : "";
  return `${done}/${total} runs · ${rate.toFixed(1)}/s · ${left} left${spend}${failed > 0 ? ` · ${failed} failed` : ""}`;
}

/** What a study came to, for a terminal. */
export function summaryText({ manifest, arms, comparisons, verdict, missing }: StudySummary, width: number): string {
  const rows = arms.map(({ arm, primary, right, usage, runs, outcomes }) => {
    const comparison = comparisons.find((one) => one.arm === arm.name);
    const tokens = (usage.inputTokens + usage.outputTokens) / Math.max(1, runs);
    return [
      arm.name,
      arm.kind,
      primary ? `${valueText(primary.estimate)} (${rangeText(primary)})` : "–",
      right ? `${countText(right.estimate * right.cases)}/${countText(right.cases)}` : "–",
      comparison ? `${pointsText(-comparison.difference.estimate)} ${mirrored[judgeComparison(comparison)]}` : "",
      comparison ? pText(comparison.difference.holm) : "",
      tokens > 0 ? `${shortCount(tokens)} tok` : `${(usage.calls / Math.max(1, runs)).toFixed(1)} calls`,
      countText((outcomes.failed ?? 0) + (outcomes.budget_exhausted ?? 0)),
    ];
  });
  const reference = arms[0]?.arm.name ?? "";
  const head = [
    "arm",
    "kind",
    `${manifest.primary} (95 %)`,
    "right",
    `to ${reference}`,
    "p (Holm)",
    "cost a run",
    "failed",
  ];
  return [
    `Was the debate worth it? ${verdict.headline}`,
    ...verdict.sentences.flatMap((sentence) => wrap(`· ${sentence}`, width)),
    "",
    ...textTable([head, ...rows]),
    ...(missing > 0 ? ["", `${counted(missing, "run is", "runs are")} missing; run the study again to add them.`] : []),
    "",
  ].join("\n");
}

/** The arm's side of a comparison that is stated from the reference's side. */
const mirrored = { better: "worse", worse: "better", same: "same", unclear: "unclear" };

/** Columns padded to their widest cell. */
export function textTable(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length + 1 > width) {
      lines.push(line);
      line = `  ${word}`;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
