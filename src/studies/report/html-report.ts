import type { Scorecard } from "../results/scorecard.ts";
import type { StudySummary } from "../summary/summarise-study.ts";
import { html, type Markup, trusted } from "../../text/html.ts";
import { reportScript } from "./report-script.ts";
import { reportStyle } from "./report-style.ts";
import { runIndex } from "./run-index.ts";
import { comparisons } from "./sections/comparisons.ts";
import { confidence } from "./sections/confidence.ts";
import { costs } from "./sections/costs.ts";
import { flips } from "./sections/flips.ts";
import { gate } from "./sections/gate.ts";
import { method } from "./sections/method.ts";
import { overview } from "./sections/overview.ts";
import { rates } from "./sections/rates.ts";
import { runs } from "./sections/runs.ts";
import { scores } from "./sections/scores.ts";
import { strata } from "./sections/strata.ts";

/** The report as one HTML file: no request leaves it, and it opens from a disk (product spec §5). */
export function htmlReport(summary: StudySummary, cards: readonly Scorecard[]): string {
  const names = summary.arms.map((one) => one.arm.name);
  const index = runIndex(names, cards);
  const sections = [
    scores(summary, index),
    comparisons(summary, index),
    costs(summary),
    flips(summary, index),
    gate(summary, index),
    confidence(summary),
    rates(summary),
    strata(summary, index),
    method(summary),
  ];
  const body = html`${overview(summary)}<main>${contents(sections)}${sections}${runs(index, names)}</main>
<footer><p>Made by Parley ${summary.manifest.code.parley}. This file needs no network; it can be sent and printed.</p></footer>`;
  return page(summary.manifest.study, body);
}

const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

function page(title: string, body: Markup): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="light dark">
<title>${title} · Parley study</title><link rel="icon" href="data:,"><style>${trusted(reportStyle)}</style></head>
<body>${body}<script>${trusted(reportScript)}</script></body></html>
`.markup;
}

/** Links to the sections that are there. */
function contents(sections: Markup[]): Markup {
  const heads = sections.flatMap(({ markup }) => [...markup.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)]);
  return html`<nav class="toc" aria-label="Sections">${heads.map(([, id, title]) => html`<a href="#${id}">${trusted(title ?? "")}</a>`)}<a href="#runs">Runs</a></nav>`;
}
