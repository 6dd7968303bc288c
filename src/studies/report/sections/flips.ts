import type { FlipRow } from "../../ledger/flip-ledger.ts";
import type { ArmSummary } from "../../summary/summarise-arm.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { drawChart } from "../charts/draw-chart.ts";
import { flipChart } from "../charts/flip-chart.ts";
import { html, type Markup } from "../../../text/html.ts";
import { counted, countText, signedText, valueText } from "../../../text/number-text.ts";
import type { RunIndex } from "../run-index.ts";
import { type Cell, sortableTable } from "../table.ts";

/** The flip ledger: who changed to right and to wrong, conformity and its cost, votes a round, how alike the players err. */
export function flips(summary: StudySummary, index: RunIndex): Markup {
  const [reference, ...others] = summary.arms;
  if (!reference || (reference.flips.length === 0 && reference.votes.length === 0)) return html``;
  const also = others.filter((one) => one.flips.length > 0 && one.callsSaved === 0);
  return html`<h2 id="flips">What the rounds changed</h2>
${armFlips(reference, index)}
${also.length > 0 && html`<details><summary>The same for ${also.map((one) => one.arm.name).join(", ")}</summary>${also.map((one) => html`<h3>${one.arm.name}</h3>${armFlips(one, index)}`)}</details>`}`;
}

function armFlips(one: ArmSummary, index: RunIndex): Markup {
  const { arm, flips: rows } = one;
  return html`${rows.length > 0 && drawChart(flipChart(`Positions corrected and spoiled a round in ${arm.name}`, rows), html`${arm.name}: positions that became right (above) and wrong (below) from one round to the next, all speakers.`)}
${votes(one)}${rows.length > 0 && ledgerTable(one, index)}${conformity(rows)}${errors(one)}`;
}

function votes({ votes: rounds, arm, right }: ArmSummary): Markup {
  if (rounds.length === 0) return html``;
  const parts = rounds.map(
    ({ round, right: count, items }) => `after round ${round} ${valueText(count / Math.max(1, items))}`,
  );
  const [first] = rounds;
  const perCase = first !== undefined && right !== null && first.items === right.cases;
  return html`<p>Had the speakers of ${arm.name} simply voted, the vote would have been right: ${parts.join(", ")}${perCase && right ? html`; the decision is right in ${valueText(right.estimate)}` : ""}. <span class="sub">(${countText(first?.items ?? 0)} positions; a tied vote counts in part.)</span></p>`;
}

function ledgerTable({ arm, flips: rows }: ArmSummary, index: RunIndex): Markup {
  const number = (value: number): Cell => ({ show: countText(value), sort: value });
  const linked = (runs: string[], title: string): Cell => {
    const wanted = new Set(runs);
    const shown = index.link(
      countText(runs.length),
      title,
      (card) => card.arm === arm.name && wanted.has(card.run_id ?? `${card.case_id}#${card.seed}`),
    );
    return { show: runs.length === 0 ? "0" : shown, sort: runs.length };
  };
  return sortableTable(
    [
      { name: "role" },
      { name: "into round", numeric: true },
      { name: "wrong → right", numeric: true },
      { name: "right → wrong", numeric: true },
      { name: "wrong → wrong", numeric: true },
      { name: "kept right", numeric: true },
      { name: "kept wrong", numeric: true },
      { name: "against majority", numeric: true },
      { name: "gave in", numeric: true, hint: "went over to the majority of the round before" },
    ],
    rows.map((row) => [
      row.entered ? html`${row.role}<span class="sub">from where the others stood</span>` : row.role,
      number(row.round),
      linked(row.fixed_runs, `${arm.name}: ${row.role} went from wrong to right in round ${row.round}`),
      linked(row.broken_runs, `${arm.name}: ${row.role} went from right to wrong in round ${row.round}`),
      number(row.wrong_to_wrong),
      number(row.kept_right),
      number(row.kept_wrong),
      number(row.against_majority),
      number(row.conformed),
    ]),
    `Flip ledger of ${arm.name}, against gold`,
  );
}

function conformity(rows: FlipRow[]): Markup {
  const total = (
    key: "against_majority" | "conformed" | "conformed_wrong_to_right" | "conformed_right_to_wrong",
  ): number => rows.reduce((sum, row) => sum + row[key], 0);
  const [against, gave, helped, harmed] = [
    total("against_majority"),
    total("conformed"),
    total("conformed_wrong_to_right"),
    total("conformed_right_to_wrong"),
  ];
  if (against === 0) return html``;
  return html`<p>Conformity: ${counted(against, "time")} a speaker stood against the majority and ${counted(gave, "time")} it gave in (${valueText(gave / against)}). Giving in corrected ${countText(helped)} and spoiled ${countText(harmed)}: it ${harmed > helped ? `cost ${countText(harmed - helped)}` : `gained ${countText(helped - harmed)}`} right positions.</p>`;
}

function errors({ errors: pairs }: ArmSummary): Markup {
  if (pairs.length === 0) return html``;
  const alike = pairs.filter((pair) => (pair.correlation ?? 0) > 0.8);
  return html`${sortableTable(
    [
      { name: "first" },
      { name: "second" },
      { name: "positions", numeric: true },
      {
        name: "error correlation",
        numeric: true,
        hint: "phi of being wrong in the first word; 1 means they err as one",
      },
      { name: "both wrong", numeric: true },
      { name: "both wrong by chance", numeric: true },
    ],
    pairs.map((pair) => [
      pair.first,
      pair.second,
      { show: countText(pair.items), sort: pair.items },
      { show: pair.correlation === null ? "–" : signedText(pair.correlation), sort: pair.correlation ?? -2 },
      { show: valueText(pair.bothWrong), sort: pair.bothWrong },
      { show: valueText(pair.bothWrongByChance), sort: pair.bothWrongByChance },
    ]),
    "How alike the speakers err in their first words",
  )}${alike.length > 0 && html`<div class="notice"><p>${alike.map((pair) => `${pair.first} and ${pair.second}`).join(", ")} err almost as one: a debate between them adds cost, not views. Cast different models, or roles that look at different evidence.</p></div>`}`;
}
