import type { StudySummary } from "../../summary/summarise-study.ts";
import { html, type Markup } from "../../../text/html.ts";
import { isShare, rangeText, valueText } from "../../../text/number-text.ts";
import { type Cell, sortableTable } from "../table.ts";

/** The pack's corpus metrics (micro and macro scores, mapping, overrides) of each arm, with its warnings and tips. */
export function rates(summary: StudySummary): Markup {
  const { arms } = summary;
  const names = [...new Set(arms.flatMap((one) => Object.keys(one.rates)))];
  if (names.length === 0) return html``;
  const differing = names.filter((name) => differs(name, summary));
  return html`<h2 id="rates">Corpus metrics of the ${summary.manifest.pack} pack</h2>
${warnings(summary)}
${rateTable(differing.length > 0 ? differing : names, summary)}
${
  differing.length > 0 &&
  differing.length < names.length &&
  html`<details><summary>${names.length - differing.length} more that are the same in all arms</summary>${rateTable(
    names.filter((name) => !differing.includes(name)),
    summary,
  )}</details>`
}`;
}

function rateTable(names: string[], summary: StudySummary): Markup {
  return sortableTable(
    [{ name: "metric" }, ...summary.arms.map((one) => ({ name: one.arm.name, numeric: true }))],
    names.map((name) => rowOf(name, summary)),
    "Over all cases of an arm, with 95 % bootstrap intervals over cases",
  );
}

/** Whether the arms differ in a metric, as far as a reader can see. */
function differs(name: string, { arms }: StudySummary): boolean {
  return new Set(arms.map((one) => one.rates[name]?.estimate.toFixed(3))).size > 1;
}

/** One notice a metric and level, with every arm it is about. */
function warnings({ arms }: StudySummary): Markup {
  const found = arms.flatMap((one) => one.warnings.map((warning) => ({ ...warning, arm: one.arm.name })));
  const groups = Map.groupBy(found, (one) => JSON.stringify([one.level, one.metric, one.tip]));
  return html`${[...groups.values()].map((group) => {
    const [first] = group;
    if (!first) return "";
    const where = group.map((one) => `${valueText(one.value, isShare([one.value]))} in ${one.arm}`);
    return html`<div class="notice level-${first.level}"><p><strong class="${first.level === "high" ? "bad" : "warn"}">${first.level === "high" ? "High" : "Warning"}: ${first.metric}</strong> ${where.join(", ")}</p><p>${first.tip}</p></div>`;
  })}`;
}

function rowOf(name: string, { arms }: StudySummary): Cell[] {
  const share = isShare(
    arms.flatMap((one) => (one.rates[name] ? [one.rates[name].estimate, one.rates[name].high] : [])),
  );
  return [
    name,
    ...arms.map((one): Cell => {
      const rate = one.rates[name];
      if (!rate) return { show: "–", sort: -1 };
      return {
        show: html`${valueText(rate.estimate, share)}<span class="sub">${rangeText(rate, share)}</span>`,
        sort: rate.estimate,
      };
    }),
  ];
}
