import type { Cell, Section, RunRow } from "../../contract/view.ts";
import { isShare, formatRange, valueText, countText, formatPoints } from "../../text/number-text.ts";
import type { StudySummary, StratumTable } from "../summary/summarise-study.ts";
import { stringify } from "yaml";
import type { Scorecard } from "../results/results.ts";
import { spendOf } from "../summary/summarise-arm.ts";

/** The pack's corpus metrics (micro and macro scores, mapping, overrides) of each arm, with its warnings and tips. */
export function buildRatesSection(summary: StudySummary): Section[] {
  const names = [...new Set(summary.arms.flatMap((one) => Object.keys(one.rates)))];
  if (names.length === 0) return [];
  const differing = names.filter((name) => isDiffering(name, summary));
  const equal = names.filter((name) => !differing.includes(name));
  const folded: Section = {
    kind: "group",
    title: `${equal.length} more that are the same in all arms`,
    folded: true,
    sections: [rateTable(equal, summary)],
  };
  return [
    {
      kind: "group",
      title: `Corpus metrics of the ${summary.manifest.pack} pack`,
      id: "rates",
      sections: [
        ...warnings(summary),
        rateTable(differing.length > 0 ? differing : names, summary),
        ...(differing.length > 0 ? [folded] : []),
      ],
    },
  ];
}

function rateTable(names: string[], summary: StudySummary): Section {
  return {
    kind: "table",
    title: "",
    note: "Over all cases of an arm, with 95 % bootstrap intervals over cases.",
    columns: ["metric", ...summary.arms.map((one) => ({ name: one.arm.name, numeric: true }))],
    rows: names.map((name) => rowOf(name, summary)),
  };
}

/** Whether the arms differ in a metric, as far as a reader can see. */
function isDiffering(name: string, { arms }: StudySummary): boolean {
  return new Set(arms.map((one) => one.rates[name]?.estimate.toFixed(3))).size > 1;
}

/** One notice per metric and level, with every arm it is about. */
function warnings({ arms }: StudySummary): Section[] {
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

function rowOf(name: string, { arms }: StudySummary): Cell[] {
  const share = isShare(
    arms.flatMap((one) => (one.rates[name] ? [one.rates[name].estimate, one.rates[name].high] : [])),
  );
  return [
    name,
    ...arms.map((one): Cell => {
      const rate = one.rates[name];
      return rate ? { text: valueText(rate.estimate, share), note: formatRange(rate, share) } : "–";
    }),
  ];
}

/** The score of each arm by group of cases, the difference to the reference under it. */
export function buildStrataSection(summary: StudySummary, runs: RunSets): Section[] {
  const tables = summary.strata.filter((table) => table.rows.length > 1);
  if (tables.length === 0) return [];
  return [
    {
      kind: "group",
      title: "By group of cases",
      id: "strata",
      note: `${summary.manifest.primary} of each arm; under it how much better the reference is, with its paired interval where that leaves zero out. Small groups swing widely: read the interval, not the point.`,
      sections: tables.map((table) => buildStratumTable(table, summary, runs)),
    },
  ];
}

function buildStratumTable({ name, rows }: StratumTable, { arms }: StudySummary, runs: RunSets): Section {
  return {
    kind: "table",
    title: `By ${name}`,
    columns: [name, { name: "cases", numeric: true }, ...arms.map((one) => ({ name: one.arm.name, numeric: true }))],
    rows: rows.map((row) => [
      row.value,
      {
        text: countText(row.cases),
        runs: runs.refer(`Runs with ${name} = ${row.value}`, (card) => (card.strata[name] ?? "–") === row.value),
      },
      ...arms.map(({ arm }) => buildStratumCell(row.arms.find((one) => one.arm === arm.name))),
    ]),
  };
}

function buildStratumCell(cell: StratumTable["rows"][number]["arms"][number] | undefined): Cell {
  if (!cell?.primary) return "–";
  const { primary, difference } = cell;
  if (!difference) return { text: valueText(primary.estimate), note: formatRange(primary) };
  const clear = difference.low > 0 || difference.high < 0;
  const note = `${formatPoints(difference.estimate)}${clear ? ` (${formatRange(difference)})` : ""}`;
  return { text: valueText(primary.estimate), note };
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

function buildArmSection({ arm }: StudySummary["arms"][number]): Section {
  const again = arm.redecide === null ? "" : `, decided again on the turns of ${arm.redecide}`;
  const text = Object.keys(arm.settings).length === 0 ? "the pack's defaults" : stringify(arm.settings);
  return {
    kind: "group",
    title: `${arm.name}: cast ${arm.cast}${again}, config ${arm.config_hash.slice(0, 12)}`,
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
      rows: cards.map(rowOfOfRunSets),
      sets: [...sets.values()],
    }),
  };
}

function rowOfOfRunSets(card: Scorecard): RunRow {
  return {
    run: card.run_id,
    arm: card.arm,
    case: card.case_id,
    seed: card.seed,
    outcome: card.outcome,
    score: card.primary,
    right: card.right,
    tokens: spendOf(card).tokens,
  };
}
