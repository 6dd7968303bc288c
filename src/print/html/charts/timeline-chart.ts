import type { Chart } from "../../../contract/chart.ts";
import { html, type Markup } from "../../../text/html.ts";
import { drawLine, drawSvg, drawWords } from "./svg.ts";

const lane = 30;

/** What happened when: a lane for each part, darker where there was more of it, quoted lines as ticks. */
export function drawTimeline(
  { start, end, window, lanes }: Extract<Chart, { type: "timeline" }>,
  width: number,
): Markup {
  const [left, right, top] = [0, width - 4, 8];
  const height = top + lanes.length * lane + 24;
  const x = (ms: number): number => left + ((ms - start) / Math.max(1, end - start)) * (right - left);
  const most = Math.max(1, ...lanes.flatMap(({ counts }) => counts));
  const shade =
    window &&
    html`<rect class="window" x="${Math.round(x(window.start))}" y="0" width="${Math.max(2, Math.round(x(window.end) - x(window.start)))}" height="${height - 20}"/>`;
  const drawn = lanes.map(({ name, counts, total, marks }, row) => {
    const y = top + row * lane;
    const wide = (right - left) / Math.max(1, counts.length);
    const heat = counts.map(
      (count, at) =>
        count > 0 &&
        html`<rect class="heat" x="${Math.round((left + at * wide) * 10) / 10}" y="${y + 14}" width="${Math.max(1, Math.round(wide * 10) / 10)}" height="10" fill-opacity="${(0.2 + (0.8 * count) / most).toFixed(2)}"/>`,
    );
    const ticks = marks.map(({ at }) => drawLine({ x: x(at), y: y + 12 }, { x: x(at), y: y + 26 }, "tick"));
    return html`${drawWords({ x: left, y: y + 6 }, `${name} (${total})`, "name", "start")}${heat}${ticks}`;
  });
  const times = [
    drawWords({ x: left, y: height - 8 }, formatTime(start), "axis", "start"),
    drawWords({ x: right, y: height - 8 }, formatTime(end), "axis", "end"),
  ];
  return drawSvg(width, height, [shade, drawn, times]);
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
