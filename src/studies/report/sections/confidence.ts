import type { ArmSummary } from "../../summary/summarise-arm.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { drawChart } from "../charts/draw-chart.ts";
import { lineChart } from "../charts/line-chart.ts";
import { html, type Markup } from "../../../text/html.ts";
import { countText, valueText } from "../../../text/number-text.ts";
import { sortableTable } from "../table.ts";

const mostLines = 6;

/** Calibration and risk over coverage: can the stated confidence be trusted, and where to set a threshold? */
export function confidence(summary: StudySummary): Markup {
  const arms = summary.arms.filter((one) => one.calibration !== null || one.riskCoverage !== null);
  if (arms.length === 0) return html``;
  return html`<h2 id="confidence">Can its confidence be trusted?</h2>
<div class="pair">${calibrationChart(arms)}${riskChart(arms, summary.manifest.primary)}</div>
${arms.length > mostLines && html`<p class="sub">The plots show the first ${mostLines} arms.</p>`}
${sortableTable(
  [
    { name: "arm" },
    { name: "stated confidences", numeric: true },
    { name: "ECE", numeric: true, hint: "expected calibration error, ten bins; 0 is perfect" },
    { name: "Brier", numeric: true },
    { name: "decided", numeric: true, hint: "share of the cases that the arm decided with a confidence" },
    { name: "AURC", numeric: true, hint: "area under risk over coverage; lower is better" },
    { name: "risk at half", numeric: true, hint: "mean loss when only the more confident half is taken" },
  ],
  arms.map((one) => [
    one.arm.name,
    { show: countText(one.calibration?.items ?? 0), sort: one.calibration?.items ?? 0 },
    { show: valueText(one.calibration?.ece), sort: one.calibration?.ece ?? -1 },
    { show: one.calibration?.brier.toFixed(3) ?? "–", sort: one.calibration?.brier ?? -1 },
    { show: valueText(one.riskCoverage?.coverage), sort: one.riskCoverage?.coverage ?? -1 },
    { show: one.riskCoverage?.aurc.toFixed(3) ?? "–", sort: one.riskCoverage?.aurc ?? -1 },
    { show: valueText(riskAtHalf(one)), sort: riskAtHalf(one) ?? -1 },
  ]),
)}`;
}

function calibrationChart(arms: ArmSummary[]): Markup {
  const lines = arms.slice(0, mostLines).flatMap(({ arm, calibration }) =>
    calibration
      ? [
          {
            name: arm.name,
            symbols: true,
            points: calibration.bins.map((bin): [number, number] => [bin.confidence, bin.accuracy]),
          },
        ]
      : [],
  );
  if (lines.length === 0) return html``;
  return drawChart(
    lineChart("Calibration", { x: "stated confidence, per cent", y: "right, per cent" }, lines, true),
    "Calibration: on the dashed diagonal, stated confidence is what comes true. Below it the arm is too sure of itself.",
  );
}

function riskChart(arms: ArmSummary[], primary: string): Markup {
  const lines = arms.slice(0, mostLines).flatMap(({ arm, riskCoverage }) =>
    riskCoverage && riskCoverage.points.length > 0
      ? [
          {
            name: arm.name,
            symbols: riskCoverage.points.length < 3,
            points: riskCoverage.points.map((point): [number, number] => [point.coverage, point.risk]),
          },
        ]
      : [],
  );
  if (lines.length === 0) return html``;
  return drawChart(
    lineChart(
      "Risk over coverage",
      { x: "share of cases taken, per cent", y: `loss (1 − ${primary}), per cent` },
      lines,
      false,
    ),
    "Risk over coverage: the loss when only the most confident share of cases is taken and the rest goes to a person.",
  );
}

function riskAtHalf({ riskCoverage }: ArmSummary): number | null {
  return riskCoverage?.points.find((point) => point.coverage >= 0.5)?.risk ?? null;
}
