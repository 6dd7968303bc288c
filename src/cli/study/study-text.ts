import type { Io } from "../terminal/io.ts";
import { renderTerminal } from "../../print/terminal/render-terminal.ts";
import { buildOverviewSections } from "../../studies/report/sections/overview.ts";
import type { WrittenReports } from "../../studies/report/write-reports.ts";
import type { StudyManifest } from "../../studies/results/study-manifest.ts";
import type { StudyProgress } from "../../studies/run/run-study.ts";
import { listDetectableEffects } from "../../studies/summary/summarise-study.ts";
import { formatDuration } from "../../text/duration.ts";
import {
  formatCount,
  countText,
  formatPoints,
  formatShortCount,
  formatUsd,
  valueText,
} from "../../text/number-text.ts";

/** What a study is going to do, and what it can find at all; said before it runs. */
export function formatPlan(manifest: StudyManifest, { total, done }: { total: number; done: number }): string {
  const { dataset, arms, seeds } = manifest;
  const names = arms.map((arm) => arm.name).join(", ");
  const sizes = `${formatCount(dataset.cases, "case")} × ${formatCount(arms.length, "arm")} (${names}) × ${formatCount(seeds.length, "seed")} = ${formatCount(total, "run")}`;
  const power = formatPower(dataset.with_gold);
  const lines = [sizes, done > 0 ? `${countText(done)} of them are done already.` : "", power];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

/** What so many cases can show at all. */
function formatPower(cases: number): string {
  if (cases === 0) return "No case has gold: only costs can be compared.";
  const effects = listDetectableEffects(cases).filter((one) => one.difference !== null);
  const middle = effects.find((one) => one.discordance === 0.1) ?? effects.at(-1);
  if (!middle)
    return `With ${formatCount(cases, "case")} no difference can be found reliably: look at single cases, not at the scores.`;
  const points = formatPoints(middle.difference).replace("+", "");
  return `With ${countText(cases)} cases a difference of ${points} points can be found if two arms differ on ${valueText(middle.discordance)} of them (5 % two-sided, power 80 %).`;
}

/** One line of progress: done, rate, time left, spend. */
export function formatProgress(progress: StudyProgress, elapsedMs: number): string {
  const { done, before, total, failed, tokens, costUsd } = progress;
  const rate = (done - before) / Math.max(0.001, elapsedMs / 1000);
  const left = rate > 0 ? formatDuration(((total - done) / rate) * 1000) : "?";
  const spend =
    tokens > 0 ? ` · ${formatShortCount(tokens)} tokens${costUsd === null ? "" : ` · ${formatUsd(costUsd)}`}` : "";
  return `${done}/${total} runs · ${rate.toFixed(1)}/s · ${left} left${spend}${failed > 0 ? ` · ${failed} failed` : ""}`;
}

/** What a study came to: the verdict, every arm on a line, and where the reports are. */
export function printStudy(io: Io, { summary, html, markdown }: WrittenReports): void {
  io.painted(renderTerminal(buildOverviewSections(summary), io));
  io.out(`\n${html}\n${markdown}\n`);
}
