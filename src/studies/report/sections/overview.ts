import { sumUsage } from "../../../engine/add-usage.ts";
import { suggestion } from "../../../text/nearest-name.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { html, type Markup } from "../../../text/html.ts";
import { countText, shortCount, timeText, usdText } from "../../../text/number-text.ts";

/** The title, the verdict and the size of the study. */
export function overview(summary: StudySummary): Markup {
  const { manifest, verdict } = summary;
  return html`<header><h1>${manifest.study}</h1>
<p class="lead">${manifest.about ?? `A study of the ${manifest.pack} pack.`}</p>
<section class="verdict ${verdict.answer}" aria-label="Verdict"><p class="ask">Was the debate worth it?</p><strong>${verdict.headline}</strong>
${verdict.sentences.length > 0 && html`<ul>${verdict.sentences.map((one) => html`<li>${one}</li>`)}</ul>`}</section>
${facts(summary)}${notices(summary)}</header>`;
}

function facts(summary: StudySummary): Markup {
  const { manifest, arms } = summary;
  const usage = sumUsage(arms.map((one) => one.usage));
  const saved = arms.reduce((sum, one) => sum + one.callsSaved, 0);
  const rows: [string, string][] = [
    ["cases", countText(manifest.dataset.cases)],
    ["arms", countText(arms.length)],
    ["seeds", countText(manifest.seeds.length)],
    ["runs", countText(arms.reduce((sum, one) => sum + one.runs, 0))],
    ["model calls", countText(usage.calls)],
    ["tokens", shortCount(usage.inputTokens + usage.outputTokens)],
    ["cost", usdText(usage.costUsd)],
    ["time in runs", timeText(arms.reduce((sum, one) => sum + one.wallMs, 0))],
    ...(saved > 0 ? ([["turns used again", countText(saved)]] as [string, string][]) : []),
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function notices({ missing, manifest, unknownMetrics, arms }: StudySummary): Markup {
  const texts = [
    ...(missing > 0
      ? [
          `${countText(missing)} runs are still missing; run the study again to add them. The numbers below are about what is there.`,
        ]
      : []),
    ...unknownMetrics.map(
      (name) => `There is no metric "${name}"${suggestion(name, Object.keys(arms[0]?.metrics ?? {}))}`,
    ),
    ...manifest.dataset.notes,
    ...manifest.notes,
    ...(manifest.dataset.with_gold < manifest.dataset.cases
      ? [
          `${countText(manifest.dataset.cases - manifest.dataset.with_gold)} cases have no gold and count for cost only.`,
        ]
      : []),
  ];
  return html`${texts.map((text) => html`<div class="notice"><p>${text}</p></div>`)}`;
}
