import type { Cell, Column, Section } from "../../../contract/view.ts";
import { countText, formatRange, valueText } from "../../../text/number-text.ts";
import type { ArmSummary } from "../../summary/summarise-arm.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { buildArmCell, metricCell } from "./arm-cell.ts";
import type { RunSets } from "./run-sets.ts";

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
        note: "Over all cases, with 95 % intervals over cases. A case without a decision counts as 0. The dashed line is the reference arm.",
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
  const { arm, outcomes } = one;
  const all = runs.refer(`Runs of ${arm.name}`, (card) => card.arm === arm.name);
  return [
    buildArmCell(one),
    metricCell(one.primary, all),
    rightCell(one, runs),
    ...pickShownMetrics(summary).map((name) => metricCell(one.metrics[name], all)),
    ...(hasSeeds(summary) ? [valueText(one.steady)] : []),
    outcomeCell(one, runs, ["decided"], outcomes.decided ?? 0),
    outcomeCell(one, runs, ["failed", "budget_exhausted"], (outcomes.failed ?? 0) + (outcomes.budget_exhausted ?? 0)),
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

function outcomeCell({ arm }: ArmSummary, runs: RunSets, kinds: string[], count: number): Cell {
  const title = `Runs of ${arm.name} that ended ${kinds.join(" or ")}`;
  return {
    text: countText(count),
    runs: runs.refer(title, (card) => card.arm === arm.name && kinds.includes(card.outcome)),
  };
}
