import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, LegendComponent, MarkLineComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { sha256 } from "../../../engine/hash.ts";
import { html, type Markup, trusted } from "../../../text/html.ts";
import { colours, themed } from "./colours.ts";

echarts.use([
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  SVGRenderer,
]);

export type ChartOption = Record<string, unknown>;

/** A chart drawn twice, for a wide page and for a phone; the style sheet shows the one that fits. */
export type Chart = { label: string; height: number; option(width: number): ChartOption };

const widths = { wide: 760, narrow: 340 };

/** The chart as SVG inside a figure with a caption; colours follow the page's theme. */
export function drawChart(chart: Chart, caption: string | Markup): Markup {
  const picture = (kind: keyof typeof widths): Markup =>
    html`<div class="picture ${kind}" role="img" aria-label="${chart.label}">${svgOf(chart, widths[kind])}</div>`;
  return html`<figure>${picture("wide")}${picture("narrow")}<figcaption>${caption}</figcaption></figure>`;
}

function svgOf(chart: Chart, width: number): Markup {
  const drawing = echarts.init(null, null, { renderer: "svg", ssr: true, width, height: chart.height });
  try {
    drawing.setOption({ animation: false, textStyle: { fontFamily: "inherit" }, ...chart.option(width) });
    return trusted(themed(stillSvg(drawing.renderToSVGString(), `${chart.label} ${width}`)));
  } finally {
    drawing.dispose();
  }
}

/** The picture without what only a live chart needs; ids come from the chart and not from the order of drawing. */
function stillSvg(svg: string, name: string): string {
  const id = `c${sha256(name).slice(0, 8)}`;
  return svg
    .replaceAll(/<style ?>[^]*?<\/style>/g, "")
    .replaceAll(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, "")
    .replaceAll(/\bzr\d+-(c\d+)/g, `${id}-$1`)
    .replace("<svg ", '<svg aria-hidden="true" ');
}

/** What the axes of all charts have in common. */
export function axis(name: string, more: ChartOption = {}): ChartOption {
  return {
    name,
    nameLocation: "middle",
    nameTextStyle: { color: colours.muted, fontSize: 12 },
    axisLine: { lineStyle: { color: colours.line } },
    axisTick: { show: false },
    axisLabel: { color: colours.muted, fontSize: 12 },
    splitLine: { lineStyle: { color: colours.line } },
    ...more,
  };
}

/** Per cent without decimals, for axes over 0..1. */
export function percentAxis(name: string, more: ChartOption = {}): ChartOption {
  const formatter = (value: number): string => `${Math.round(value * 100)}`;
  return axis(name, { type: "value", axisLabel: { color: colours.muted, fontSize: 12, formatter }, ...more });
}
