import { stringify } from "yaml";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { html, type Markup } from "../../../text/html.ts";
import { sortableTable } from "../table.ts";

/** How it was measured, and what exactly ran: versions, hashes, settings. */
export function method({ manifest, arms }: StudySummary): Markup {
  const { code, dataset } = manifest;
  const facts: [string, string][] = [
    ["parley", `${code.parley}${code.commit ? `, commit ${code.commit.slice(0, 12)}` : ""}`],
    ["pack", manifest.pack],
    ["dataset", `${dataset.path}, sha256 ${dataset.hash.slice(0, 16)}…`],
    ["study file", `sha256 ${manifest.study_hash.slice(0, 16)}…`],
    ["players", manifest.models.join(", ") || "–"],
    ["seeds", manifest.seeds.join(", ")],
    ["started", manifest.started_at],
  ];
  return html`<h2 id="method">How this was measured</h2>
<p>Every arm ran on the same cases. Gold was split off when the data was loaded and met nothing but finished decisions. A case without a decision scores 0. A case is right when ${manifest.primary} is 1; with several seeds, when it is right in more than half of them. Intervals are 95 % percentile bootstraps over cases (seeds of a case are averaged first), or Wilson intervals where a metric is a plain share of cases; differences are paired by case, McNemar's test is exact and two-sided, and p-values are corrected with Holm's method over all arms compared. The self-consistency control gets, case by case, as many samples as fit the tokens that the reference arm used on that case.</p>
${sortableTable(
  [{ name: "what" }, { name: "value" }],
  facts.map(([name, value]) => [name, html`<span class="mono">${value}</span>`]),
)}
<h3>Arms</h3>
${arms.map(({ arm }) => html`<details><summary>${arm.name}: cast <code>${arm.cast}</code>${arm.redecide && html`, decided again on the turns of ${arm.redecide}`}, config ${arm.config_hash.slice(0, 12)}</summary><pre>${Object.keys(arm.settings).length === 0 ? "the pack's defaults" : stringify(arm.settings)}</pre></details>`)}`;
}
