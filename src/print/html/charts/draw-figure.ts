import type { Chart } from "../../../contract/chart.ts";
import { html, type Markup, type Part } from "../../../text/html.ts";
import { drawCost } from "./cost-chart.ts";
import { drawFlips } from "./flip-chart.ts";
import { drawForest } from "./forest-chart.ts";
import { drawLines } from "./line-chart.ts";
import { drawTimeline } from "./timeline-chart.ts";

/** A chart with its caption, drawn twice, for a wide page and for a phone; the style sheet shows the one that fits. */
export function drawFigure(chart: Chart, title: string, note: string | undefined): Markup {
  const picture = (kind: "wide" | "narrow"): Markup =>
    html`<div class="picture ${kind}" role="img" aria-label="${title}">${drawChart(chart, kind === "wide" ? 760 : 340)}</div>`;
  const pictures: Part = chart.type === "lines" ? picture("narrow") : [picture("wide"), picture("narrow")];
  return html`<figure class="chart-${chart.type}">${pictures}<figcaption>${title !== "" && html`<b>${title}.</b> `}${drawKey(chart)}${note}</figcaption></figure>`;
}

function drawChart(chart: Chart, width: number): Markup {
  if (chart.type === "forest") return drawForest(chart, width);
  if (chart.type === "cost") return drawCost(chart, width);
  if (chart.type === "timeline") return drawTimeline(chart, width);
  if (chart.type === "flips") return drawFlips(chart, width);
  if (chart.type === "lines") return drawLines(chart, width);
  throw new Error(`${chart.type} is shown as a table`);
}

/** What the shapes and colours stand for. */
function drawKey(chart: Chart): Part {
  if (chart.type !== "forest" && chart.type !== "cost") return null;
  const groups = new Set((chart.type === "forest" ? chart.rows : chart.points).map(({ group }) => group));
  const shapes = { reference: "●", control: "○", arm: "◆" };
  return Object.entries(shapes)
    .filter(([group]) => groups.has(group as keyof typeof shapes))
    .map(([group, shape]) => html`<span class="key ${group}">${shape} ${group}</span> `);
}
