import { html, type Markup, scriptJson } from "../../../text/html.ts";
import type { RunIndex } from "../run-index.ts";

/** The list of runs that numbers lead to; filled by the page's script. */
export function runs(index: RunIndex, armNames: string[]): Markup {
  const rows = index.rows.map((row) => [
    row.arm,
    row.case,
    row.seed,
    row.run,
    row.outcome,
    row.score,
    row.right,
    row.tokens,
  ]);
  const heads = ["run", "arm", "case", "seed", "outcome", "score", "", "tokens"];
  const numeric = new Set(["seed", "score", "tokens"]);
  return html`<section id="runs-list" hidden><h2 id="runs">Runs</h2>
<div class="bar"><strong data-title></strong><a href="#runs" data-all hidden>show all runs</a><span class="sub">Look at one with <code>parley show RUN</code>.</span></div>
<div class="scroll" tabindex="0" role="region" aria-label="Runs"><table class="sortable"><thead><tr>${heads.map((name) => html`<th scope="col" class="${numeric.has(name) ? "num" : ""}"><button type="button">${name || "right"}</button></th>`)}</tr></thead><tbody></tbody></table></div>
<button type="button" class="more" hidden></button></section>
<script type="application/json" id="runs-data">${scriptJson({ arms: armNames, rows, sets: index.sets })}</script>`;
}
