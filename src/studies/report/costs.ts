import type { Cell, Section } from "../../contract/view.ts";
import { formatDuration } from "../../text/duration.ts";
import { formatP, countText, formatShortCount, formatUsd, valueText } from "../../text/number-text.ts";
import type { ArmSummary } from "../summary/summarise-arm.ts";
import type { StudySummary } from "../summary/summarise-study.ts";
import { buildArmCell } from "./overview.ts";

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

const mostLines = 6;

/** Calibration and risk over coverage: can the stated confidence be trusted, and where to set a threshold? */
export function buildConfidenceSection({ arms: all, manifest }: StudySummary): Section[] {
  const arms = all.filter((one) => one.calibration !== null || one.riskCoverage !== null);
  if (arms.length === 0) return [];
  const shown = arms.slice(0, mostLines);
  const more = arms.length > mostLines ? { note: `The plots show the first ${mostLines} arms.` } : {};
  return [
    {
      kind: "group",
      title: "Can its confidence be trusted?",
      id: "confidence",
      ...more,
      sections: [
        { kind: "text", title: "", text: saySeparation(arms) },
        calibrationChart(shown),
        riskChart(shown, manifest.primary),
        buildConfidenceTable(arms),
      ],
    },
  ];
}

/** No rule may stop or act on a score that does not tell right from wrong; this says of which it is known. */
function saySeparation(arms: ArmSummary[]): string {
  const telling = arms.filter(({ separation }) => separation && separation.auc > 0.5 && separation.p < 0.05);
  const others = arms.filter((one) => !telling.includes(one)).map(({ arm }) => arm.name);
  const names = telling.map(({ arm }) => arm.name);
  return [
    ...(names.length > 0 ? [`On these cases the confidence of ${names.join(", ")} tells right from wrong.`] : []),
    ...(others.length > 0 ? [`That of ${others.join(", ")} was not shown to: do not stop a debate or act on it.`] : []),
  ].join(" ");
}

function calibrationChart(arms: ArmSummary[]): Section {
  const lines = arms.flatMap(({ arm, calibration }) =>
    calibration
      ? [{ name: arm.name, points: calibration.bins.map((bin): [number, number] => [bin.confidence, bin.accuracy]) }]
      : [],
  );
  return {
    kind: "chart",
    title: "Calibration",
    note: "On the dashed diagonal, stated confidence is what comes true. Below it the arm is too sure of itself.",
    chart: {
      type: "lines",
      axes: { x: "stated confidence, per cent", y: "right, per cent" },
      diagonal: true,
      lines,
    },
  };
}

function riskChart(arms: ArmSummary[], primary: string): Section {
  const lines = arms.flatMap(({ arm, riskCoverage }) =>
    riskCoverage
      ? [{ name: arm.name, points: riskCoverage.points.map((one): [number, number] => [one.coverage, one.risk]) }]
      : [],
  );
  return {
    kind: "chart",
    title: "Risk over coverage",
    note: "The loss when only the most confident share of cases is taken and the rest goes to a person.",
    chart: {
      type: "lines",
      axes: { x: "share of cases taken, per cent", y: `loss (1 − ${primary}), per cent` },
      diagonal: false,
      lines,
    },
  };
}

function buildConfidenceTable(arms: ArmSummary[]): Section {
  const numeric = (name: string, hint?: string) => ({ name, numeric: true, hint });
  return {
    kind: "table",
    title: "",
    columns: [
      "arm",
      numeric("stated confidences"),
      numeric("ECE", "expected calibration error, ten bins; 0 is perfect"),
      numeric("Brier"),
      numeric("decided", "share of the cases that the arm decided with a confidence"),
      numeric("separates", "chance that a right case is the more confident one; one half tells nothing"),
      numeric("AURC", "area under risk over coverage; lower is better"),
      numeric("risk at half", "mean loss when only the more confident half is taken"),
    ],
    rows: arms.map(({ arm, calibration, riskCoverage, separation }) => [
      arm.name,
      countText(calibration?.items ?? 0),
      valueText(calibration?.ece),
      calibration?.brier.toFixed(3) ?? "–",
      valueText(riskCoverage?.coverage),
      separation ? { text: separation.auc.toFixed(2), note: `p ${formatP(separation.p)}` } : "–",
      riskCoverage?.aurc.toFixed(3) ?? "–",
      valueText(riskCoverage?.points.find((point) => point.coverage >= 0.5)?.risk),
    ]),
  };
}
