import { stringify } from "yaml";
import type { Cell, Section } from "../../contract/view.ts";
import { countText, formatP, formatRange, isShare, valueText } from "../../text/format.ts";
import type { Scorecard } from "../results/results.ts";
import type { ArmSummary } from "../summary/summarise-arm.ts";
import type { StratumTable, StudySummary } from "../summary/summarise-study.ts";
import type { Interval } from "../statistics/intervals.ts";
import { numeric, sumSpend } from "./overview.ts";

const mostLines = 6;

/** Calibration and risk over coverage: can the stated confidence be trusted, and where to set a threshold? */
export function buildConfidenceSection({ arms: all, manifest }: StudySummary): Section[] {
  const arms = all.filter((one) => one.calibration !== null || one.risk.length > 0);
  if (arms.length === 0) return [];
  const shown = arms.slice(0, mostLines);
  return [
    {
      kind: "group",
      title: "Can its confidence be trusted?",
      id: "confidence",
      sections: [
        { kind: "text", title: "", text: saySeparation(arms) },
        {
          kind: "chart",
          title: "Calibration",
          note: "On the dashed diagonal, stated confidence is what comes true. Below it the arm is too sure of itself.",
          chart: {
            type: "lines",
            axes: { x: "stated confidence, per cent", y: "right, per cent" },
            diagonal: true,
            lines: shown.map(({ arm, calibration }) => ({
              name: arm.name,
              points: (calibration?.bins ?? []).map((bin): [number, number] => [bin.confidence, bin.accuracy]),
            })),
          },
        },
        {
          kind: "chart",
          title: "Risk over coverage",
          note: "The loss when only the most confident share of cases is taken and the rest goes to a person.",
          chart: {
            type: "lines",
            axes: { x: "share of cases taken, per cent", y: `loss (1 − ${manifest.primary}), per cent` },
            diagonal: false,
            lines: shown.map(({ arm, risk }) => ({
              name: arm.name,
              points: risk.map((one): [number, number] => [one.coverage, one.wrong]),
            })),
          },
        },
        {
          kind: "table",
          title: "",
          columns: [
            "arm",
            numeric("stated confidences"),
            numeric("ECE", "expected calibration error, ten bins; 0 is perfect"),
            numeric("separates", "chance that a right case is the more confident one; one half tells nothing"),
            numeric("risk at half", "mean loss when only the more confident half is taken"),
          ],
          rows: arms.map(({ arm, calibration, risk, separation }) => [
            arm.name,
            countText(calibration?.items ?? 0),
            valueText(calibration?.ece),
            separation ? { text: separation.auc.toFixed(2), note: `p ${formatP(separation.p)}` } : "–",
            valueText(risk.find((point) => point.coverage >= 0.5)?.wrong),
          ]),
        },
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

/** The metrics of each arm: those that the study lists, or all of the pack's, with its warnings and tips. */
export function buildMetricsSection({ arms, manifest }: StudySummary): Section[] {
  const all = [...new Set(arms.flatMap((one) => Object.keys(one.metrics)))];
  const names = manifest.metrics?.filter((name) => all.includes(name)) ?? all;
  if (names.length === 0) return [];
  return [
    {
      kind: "group",
      title: `Metrics of the ${manifest.pack} pack`,
      id: "metrics",
      sections: [
        ...warnings(arms),
        {
          kind: "table",
          title: "",
          note: "With 95 % intervals over cases.",
          columns: ["metric", ...arms.map((one) => numeric(one.arm.name))],
          rows: names.map((name) => {
            const values = arms.flatMap((one) => (one.metrics[name] ? [one.metrics[name]] : []));
            const share = isShare(values.flatMap(({ estimate, high }) => [estimate, high]));
            return [name, ...arms.map((one) => intervalCell(one.metrics[name], share))];
          }),
        },
      ],
    },
  ];
}

function intervalCell(value: Interval | null | undefined, share = true): Cell {
  return value ? { text: valueText(value.estimate, share), note: formatRange(value, share) } : "–";
}

/** One notice per metric and level, with every arm it is about. */
function warnings(arms: readonly ArmSummary[]): Section[] {
  const found = arms.flatMap((one) => one.warnings.map((warning) => ({ ...warning, arm: one.arm.name })));
  const groups = Map.groupBy(found, (one) => JSON.stringify([one.level, one.metric, one.tip]));
  return [...groups.values()].flatMap((group): Section[] => {
    const [first] = group;
    if (!first) return [];
    const where = group.map((one) => `${valueText(one.value, isShare([one.value]))} in ${one.arm}`).join(", ");
    const level = first.level === "high" ? "High" : "Warning";
    const text = `${level}: ${first.metric} is ${where}.\n${first.tip}`;
    return [{ kind: "text", title: "", text, tone: first.level === "high" ? "bad" : "warn" }];
  });
}

/** The score of each arm by group of cases. */
export function buildStrataSection({ strata, arms, manifest }: StudySummary, runs: RunSets): Section[] {
  const tables = strata.filter((table) => table.rows.length > 1);
  if (tables.length === 0) return [];
  const build = ({ name, rows }: StratumTable): Section => ({
    kind: "table",
    title: `By ${name}`,
    columns: [name, numeric("cases"), ...arms.map((one) => numeric(one.arm.name))],
    rows: rows.map((row) => [
      row.value,
      {
        text: countText(row.cases),
        runs: runs.refer(`Runs with ${name} = ${row.value}`, (card) => (card.strata[name] ?? "–") === row.value),
      },
      ...row.arms.map((value) => intervalCell(value)),
    ]),
  });
  return [
    {
      kind: "group",
      title: "By group of cases",
      id: "strata",
      note: `${manifest.primary} of each arm. Small groups swing widely: read the interval, not the point.`,
      sections: tables.map(build),
    },
  ];
}

/** How it was measured, and what exactly ran: versions, hashes, settings. */
export function buildMethodSection({ manifest, arms }: StudySummary): Section {
  const { code, dataset } = manifest;
  const rows = [
    { label: "parley", value: `${code.parley}${code.commit ? `, commit ${code.commit.slice(0, 12)}` : ""}` },
    { label: "pack", value: manifest.pack },
    { label: "dataset", value: `${dataset.path}, ${dataset.cases} cases, sha256 ${dataset.hash.slice(0, 16)}…` },
    { label: "study file", value: `sha256 ${manifest.study_hash.slice(0, 16)}…` },
    { label: "players", value: manifest.models.join(", ") || "–" },
    { label: "seeds", value: manifest.seeds.join(", ") },
    { label: "runs", value: countText(arms.reduce((sum, one) => sum + one.runs, 0)) },
    { label: "cost of all", value: sumSpend(arms) },
    { label: "started", value: manifest.started_at },
  ];
  return {
    kind: "group",
    title: "How this was measured",
    id: "method",
    sections: [
      { kind: "text", title: "", text: explainMethod(manifest.primary) },
      { kind: "facts", title: "What ran", rows },
      { kind: "group", title: "Arms", sections: arms.map(buildArmSection) },
    ],
  };
}

function explainMethod(primary: string): string {
  return `Every arm ran on the same cases. Gold was split off when the data was loaded and met nothing but finished decisions. A case without a decision scores 0. A case is right when ${primary} is 1; with several seeds, when it is right in more than half of them.

Intervals are 95 % percentile bootstraps over cases (seeds of a case are averaged first), or Wilson intervals where a metric is a plain share of cases; differences are paired by case, McNemar's test is exact and two-sided, and p-values are corrected with Holm's method over all arms compared. The self-consistency control gets, case by case, as many samples as fit the tokens that the reference arm used on that case.`;
}

function buildArmSection({ arm }: ArmSummary): Section {
  const again = arm.redecide === null ? "" : `, decided again on the turns of ${arm.redecide}`;
  const text = Object.keys(arm.settings).length === 0 ? "the pack's defaults" : stringify(arm.settings);
  return {
    kind: "group",
    title: `${arm.name}: cast ${arm.cast}${again}, config ${arm.config_hash.slice(0, 12)}`,
    ...(arm.about === null ? {} : { note: arm.about }),
    folded: true,
    sections: [{ kind: "code", title: "", text }],
  };
}

/** The runs behind the numbers of a report: a number refers to a named set, and the report lists that set. */
export type RunSets = {
  /** The id of the set with this title; equal titles are one set. An empty set has none. */
  refer(title: string, belongs: (card: Scorecard) => boolean): string | undefined;
  /** The runs and the sets that were referred to. */
  section(): Section;
};

/** Collects the sets that the numbers of a study point to. */
export function collectRuns(cards: readonly Scorecard[]): RunSets {
  const sets = new Map<string, { id: string; title: string; rows: number[] }>();
  return {
    refer(title, belongs) {
      const known = sets.get(title);
      if (known) return known.id;
      const rows = cards.flatMap((card, i) => (belongs(card) ? [i] : []));
      if (rows.length === 0) return undefined;
      const id = String(sets.size);
      sets.set(title, { id, title, rows });
      return id;
    },
    section: () => ({
      kind: "runs",
      title: "Runs",
      id: "runs",
      rows: cards.map((card) => ({
        run: card.run_id,
        arm: card.arm,
        case: card.case_id,
        seed: card.seed,
        outcome: card.outcome,
        score: card.primary,
        right: card.right,
        tokens: card.cost.spend.tokens,
      })),
      sets: [...sets.values()],
    }),
  };
}
