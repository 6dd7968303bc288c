import type { Io } from "../terminal/io.ts";
import { renderTerminal } from "../../print/terminal/render-terminal.ts";
import { overviewSections } from "../../studies/report/sections/overview.ts";
import type { WrittenReports } from "../../studies/report/write-reports.ts";
import type { StudyManifest } from "../../studies/results/study-manifest.ts";
import type { StudyProgress } from "../../studies/run/run-study.ts";
import { detectableEffects } from "../../studies/summary/summarise-study.ts";
import { durationText } from "../../text/duration.ts";
import { counted, countText, pointsText, shortCount, usdText, valueText } from "../../text/number-text.ts";

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
  const left = rate > 0 ? durationText(((total - done) / rate) * 1000) : "?";
  const spend = tokens > 0 ? ` · ${shortCount(tokens)} tokens${costUsd === null ? "" : ` · ${usdText(costUsd)}`}` : "";
  return `${done}/${total} runs · ${rate.toFixed(1)}/s · ${left} left${spend}${failed > 0 ? ` · ${failed} failed` : ""}`;
}

/** What a study came to: the verdict, every arm on a line, and where the reports are. */
export function printStudy(io: Io, { summary, html, markdown }: WrittenReports): void {
  io.painted(renderTerminal(overviewSections(summary), io));
  io.out(`\n${html}\n${markdown}\n`);
}
