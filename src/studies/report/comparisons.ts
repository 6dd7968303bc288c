import type { Group } from "../../contract/chart.ts";
import type { Cell, Section } from "../../contract/view.ts";
import { countText, formatPoints, formatP, formatRange, valueText } from "../../text/number-text.ts";
import { type Comparison } from "../summary/verdict.ts";
import type { StudySummary } from "../summary/summarise-study.ts";
import type { RunSets } from "./details.ts";
import { standingTones } from "./overview.ts";

/** The reference arm against each other arm on the same cases: paired interval, McNemar, corrected p-values. */
export function buildComparisonsSection(summary: StudySummary, runs: RunSets): Section[] {
  const { comparisons: found, manifest, arms } = summary;
  if (found.length === 0) return [];
  const reference = arms[0]?.arm.name ?? "";
  const incomplete = found.some((one) => one.cases < manifest.dataset.with_gold);
  return [
    {
      kind: "group",
      title: `${reference} against each arm, case by case`,
      id: "comparisons",
      sections: [
        buildDifferenceChart(summary, reference),
        buildDifferenceTable(summary, reference, runs),
        ...(incomplete ? [textOf("Only cases that both arms ended are compared.")] : []),
        ...manifest.left_out.map(
          ({ name, reason }): Section => ({ ...textOf(`${name} was left out: ${reason}.`), tone: "warn" }),
        ),
        power(summary),
      ],
    },
  ];
}

function buildDifferenceChart(summary: StudySummary, reference: string): Section {
  const { comparisons: found, manifest } = summary;
  const rows = found.map(({ arm, difference }) => ({ name: arm, group: groupOf(summary, arm), value: difference }));
  return {
    kind: "chart",
    title: `Difference of ${reference} to each arm`,
    note: "Right of the line the reference is better. Paired 95 % intervals over the cases that both arms ended.",
    repeats: true,
    chart: { type: "forest", axis: `points of ${manifest.primary}, better →`, line: 0, rows },
  };
}

function buildDifferenceTable(summary: StudySummary, reference: string, runs: RunSets): Section {
  const { comparisons: found, manifest } = summary;
  return {
    kind: "table",
    title: "",
    note: `Points of ${manifest.primary}, paired by case; positive means ${reference} is better. P-values are corrected over ${found.length} comparisons.`,
    columns: [
      "against",
      `${reference} is`,
      { name: "difference", numeric: true },
      {
        name: "p (Holm)",
        numeric: true,
        hint: "exact where cases are right or wrong; corrected for the number of arms",
      },
      { name: "right only here", numeric: true },
      { name: "right only there", numeric: true },
      { name: "lacking", numeric: true, hint: "cases that one of the two did not end" },
    ],
    rows: found.map((one) => rowOf(one, summary, runs)),
  };
}

function groupOf(summary: StudySummary, name: string): Group {
  return summary.arms.find((one) => one.arm.name === name)?.arm.kind ?? "arm";
}

const words = {
  better: "better",
  worse: "worse",
  same: "the same",
  unclear: "unclear",
  too_few: "too few cases",
  open: "open: failures could turn it",
};
function rowOf(one: Comparison, summary: StudySummary, runs: RunSets): Cell[] {
  const { arm, difference } = one;
  const reference = summary.arms[0]?.arm.name ?? "";
  const standing = one.advantage;
  const cases = (title: string, ids: string[], count: number): Cell => {
    const wanted = new Set(ids);
    const belongs = (card: { arm: string; case_id: string }): boolean =>
      wanted.has(card.case_id) && [arm, reference].includes(card.arm);
    return { text: countText(count), runs: runs.refer(title, belongs) };
  };
  return [
    { text: arm, tag: groupOf(summary, arm) },
    { text: words[standing], tone: standingTones[standing] },
    { text: formatPoints(difference.estimate), note: formatRange(difference) },
    formatP(one.holm),
    cases(`Cases that ${reference} has right and ${arm} has wrong`, one.onlyReference, one.onlyReference.length),
    cases(`Cases that ${arm} has right and ${reference} has wrong`, one.onlyOther, one.onlyOther.length),
    countText(one.lacking),
  ];
}

function power({ detectable, manifest }: StudySummary): Section {
  const parts = detectable.map(({ discordance, difference }) =>
    difference === null
      ? `if they differ on ${valueText(discordance)} of the cases, nothing`
      : `if they differ on ${valueText(discordance)}, ${formatPoints(difference).replace("+", "")} points`,
  );
  return textOf(
    `What ${countText(manifest.dataset.with_gold)} cases can show at all (two arms, share of cases right, 5 % two-sided, power 80 %): ${parts.join("; ")}.`,
  );
}

function textOf(text: string): Section & { kind: "text" } {
  return { kind: "text", title: "", text };
}
