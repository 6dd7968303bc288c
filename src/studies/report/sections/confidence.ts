import type { Section } from "../../../contract/view.ts";
import { countText, valueText } from "../../../text/number-text.ts";
import type { ArmSummary } from "../../summary/summarise-arm.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";

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
      sections: [calibrationChart(shown), riskChart(shown, manifest.primary), buildConfidenceTable(arms)],
    },
  ];
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
      numeric("AURC", "area under risk over coverage; lower is better"),
      numeric("risk at half", "mean loss when only the more confident half is taken"),
    ],
    rows: arms.map(({ arm, calibration, riskCoverage }) => [
      arm.name,
      countText(calibration?.items ?? 0),
      valueText(calibration?.ece),
      calibration?.brier.toFixed(3) ?? "–",
      valueText(riskCoverage?.coverage),
      riskCoverage?.aurc.toFixed(3) ?? "–",
      valueText(riskCoverage?.points.find((point) => point.coverage >= 0.5)?.risk),
    ]),
  };
}
