import type { PairedDifference } from "../../statistics/bootstrap.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import { html, type Markup } from "../../../text/html.ts";
import { countText, pointsText, rangeText, valueText } from "../../../text/number-text.ts";
import type { RunIndex } from "../run-index.ts";

/** Debate only when it pays: what a gate on disagreement would have saved and lost on these cases. */
export function gate(summary: StudySummary, index: RunIndex): Markup {
  const { gate: found, manifest } = summary;
  if (!found) return html``;
  const split = new Set(found.split);
  const linked = index.link(countText(found.split.length), "Runs of cases whose openings disagree", (card) =>
    split.has(card.case_id),
  );
  const where = (one: PairedDifference | null): string =>
    one ? `${pointsText(one.estimate)} points (${rangeText(one)})` : "no such case";
  return html`<h2 id="gate">Debate only where the openings disagree?</h2>
<p>In ${linked} of ${countText(found.cases)} cases the first words disagree. There the debate is ${where(found.whereSplit)} against ${found.vote}; where they agree, ${where(found.whereAgreed)}.</p>
<p>Taking the vote where they agree and debating only the rest would have scored <strong>${valueText(found.score.estimate)}</strong> of ${manifest.primary} (${rangeText(found.score)}), ${pointsText(found.difference.estimate)} points (${rangeText(found.difference)}) to always debating, at <strong>${valueText(found.costShare)} of its cost</strong>.</p>`;
}
