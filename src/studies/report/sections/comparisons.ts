import type { Comparison } from "../../summary/compare-arms.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { judgeComparison } from "../../summary/reach-verdict.ts";
import { colours } from "../charts/colours.ts";
import { drawChart } from "../charts/draw-chart.ts";
import { forestChart } from "../charts/forest-chart.ts";
import { html, type Markup } from "../../../text/html.ts";
import { countText, pointsText, pText, rangeText, signedText, valueText } from "../../../text/number-text.ts";
import type { RunIndex } from "../run-index.ts";
import { type Cell, sortableTable } from "../table.ts";

const words = { better: "better", worse: "worse", same: "the same", unclear: "unclear" };

/** The reference arm against each other arm on the same cases: paired interval, McNemar, corrected p-values. */
export function comparisons(summary: StudySummary, index: RunIndex): Markup {
  const { comparisons: found, manifest } = summary;
  if (found.length === 0) return html``;
  const reference = summary.arms[0]?.arm.name ?? "";
  const rows = found.map(({ arm, difference }) => ({
    name: arm,
    interval: difference,
    colour: colours[kindOf(summary, arm)],
  }));
  return html`<h2 id="comparisons">${reference} against each arm, case by case</h2>
${drawChart(forestChart(`Difference of ${reference} to each arm`, `points of ${manifest.primary}, better →`, rows, 0), "Right of the line the reference is better. Paired 95 % bootstrap intervals over the cases that both arms have.")}
${sortableTable(
  [
    { name: "against" },
    { name: `${reference} is` },
    { name: "difference", numeric: true },
    { name: "p (Holm)", numeric: true, hint: "bootstrap p-value, corrected for the number of arms" },
    { name: "right only here", numeric: true },
    { name: "right only there", numeric: true },
    { name: "McNemar p", numeric: true, hint: "exact, two-sided; under it corrected with Holm's method" },
    { name: "agreement κ", numeric: true, hint: "Cohen's kappa of being right" },
  ],
  found.map((one) => rowOf(one, summary, index)),
  `Differences in points of ${manifest.primary}; p-values corrected over ${found.length} comparisons`,
)}
${found.some((one) => one.cases < manifest.dataset.with_gold) && html`<p class="sub">Where an arm is not complete, only the cases that both arms have are compared.</p>`}
${moreMetrics(summary)}${leftOut(summary)}${power(summary)}`;
}

function kindOf(summary: StudySummary, name: string): "reference" | "control" | "arm" {
  return summary.arms.find((one) => one.arm.name === name)?.arm.kind ?? "arm";
}

function rowOf(one: Comparison, summary: StudySummary, index: RunIndex): Cell[] {
  const { arm, difference, mcnemar, kappa } = one;
  const reference = summary.arms[0]?.arm.name ?? "";
  const standing = judgeComparison(one);
  const tone = standing === "better" ? "good" : standing === "worse" ? "bad" : "";
  const cases = (title: string, ids: string[], count: number): Cell => {
    const wanted = new Set(ids);
    return {
      show: index.link(
        countText(count),
        title,
        (card) => wanted.has(card.case_id) && [arm, reference].includes(card.arm),
      ),
      sort: count,
    };
  };
  return [
    { show: html`${arm}<span class="tag ${kindOf(summary, arm)}">${kindOf(summary, arm)}</span>`, sort: arm },
    { show: html`<span class="nowrap ${tone}">${words[standing]}</span>`, sort: standing },
    {
      show: html`${pointsText(difference.estimate)}<span class="sub">${rangeText(difference)}</span>`,
      sort: difference.estimate,
    },
    { show: pText(difference.holm), sort: difference.holm },
    cases(`Cases that ${reference} has right and ${arm} has wrong`, one.onlyReference, mcnemar.onlyFirst),
    cases(`Cases that ${arm} has right and ${reference} has wrong`, one.onlyOther, mcnemar.onlySecond),
    { show: html`${pText(mcnemar.exactP)}<span class="sub">Holm ${pText(mcnemar.holm)}</span>`, sort: mcnemar.exactP },
    { show: kappa.kappa === null ? "–" : signedText(kappa.kappa), sort: kappa.kappa ?? -2 },
  ];
}

/** The other metrics and the corpus metrics, paired in the same way. */
function moreMetrics(summary: StudySummary): Markup {
  const { comparisons: found, manifest } = summary;
  const rows = found.flatMap((one) =>
    Object.entries({ ...one.metrics, ...one.rates })
      .filter(([name, { low, high }]) => name !== manifest.primary && Math.abs(low) <= 1 && Math.abs(high) <= 1)
      .map(([name, interval]): Cell[] => [
        one.arm,
        name,
        { show: pointsText(interval.estimate), sort: interval.estimate },
        { show: rangeText(interval), sort: interval.low },
        interval.low > 0 ? "above" : interval.high < 0 ? "below" : "",
      ]),
  );
  if (rows.length === 0) return html``;
  const columns = [
    { name: "against" },
    { name: "metric" },
    { name: "difference", numeric: true },
    { name: "95 % interval", numeric: true },
    { name: "interval and zero" },
  ];
  return html`<details><summary>All other metrics, paired in the same way (${rows.length})</summary><p class="sub">Not corrected for the number of metrics: with ${rows.length} of them, about ${Math.max(1, Math.round(rows.length * 0.05))} would leave zero out by chance.</p>${sortableTable(columns, rows)}</details>`;
}

function leftOut({ manifest }: StudySummary): Markup {
  return html`${manifest.left_out.map(({ name, reason }) => html`<div class="notice"><p><strong>${name}</strong> was left out: ${reason}.</p></div>`)}`;
}

function power({ detectable, manifest }: StudySummary): Markup {
  const parts = detectable.map(({ discordance, difference }) =>
    difference === null
      ? `if they differ on ${valueText(discordance)} of the cases, nothing`
      : `if they differ on ${valueText(discordance)}, ${pointsText(difference).replace("+", "")} points`,
  );
  return html`<p class="sub">What ${countText(manifest.dataset.with_gold)} cases can show at all (two arms, share of cases right, 5 % two-sided, power 80 %): ${parts.join("; ")}.</p>`;
}
