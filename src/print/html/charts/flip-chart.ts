import type { Chart } from "../../../contract/chart.ts";
import { html, type Markup, type Part } from "../../../text/html.ts";
import { countText } from "../../../text/number-text.ts";
import { boundsFromZero, scaleTo, ticksOf } from "./scale.ts";
import { drawLine, drawSvg, drawUpright, drawWords } from "./svg.ts";

const height = 240;
const widestBar = 54;

/** Round by round: what became right above the line, what became wrong below it. */
export function drawFlips({ rounds }: Extract<Chart, { type: "flips" }>, width: number): Markup {
  const [left, right, top, bottom] = [52, width - 16, 12, height - 46];
  const { step } = boundsFromZero(Math.max(4, ...rounds.flatMap(({ fixed, broken }) => [fixed, broken])), 4);
  const reach = (count: number): number => Math.ceil(count / step) * step;
  const bounds = {
    min: -reach(Math.max(...rounds.map(({ broken }) => broken))),
    max: reach(Math.max(1, ...rounds.map(({ fixed }) => fixed))),
    step,
  };
  const y = scaleTo(bounds, bottom, top);
  const grid = ticksOf(bounds).map(
    (tick) =>
      html`${drawLine({ x: left, y: y(tick) }, { x: right, y: y(tick) }, tick === 0 ? "base" : "grid")}${drawWords({ x: left - 8, y: y(tick) }, countText(Math.abs(tick)), "axis", "end")}`,
  );
  const room = (right - left) / rounds.length;
  const wide = Math.min(widestBar, room * 0.6);
  const drawn = rounds.map(({ round, fixed, broken }, i) => {
    const middle = left + (i + 0.5) * room;
    const bar = (count: number, to: number, kind: string): Part =>
      drawBar(middle, { from: y(0), to, wide }, count, kind);
    return html`${bar(fixed, y(fixed), "good")}${bar(broken, y(-broken), "bad")}${drawWords({ x: middle, y: bottom + 14 }, String(round), "axis")}`;
  });
  const names = [
    drawWords({ x: (left + right) / 2, y: height - 10 }, "into round", "axis"),
    drawUpright({ x: 12, y: (top + bottom) / 2 }, "positions"),
  ];
  return drawSvg(width, height, [grid, drawn, names]);
}

/** A bar with its count in it, or beside it where there is no room. */
function drawBar(
  x: number,
  { from, to, wide }: { from: number; to: number; wide: number },
  count: number,
  kind: string,
): Part {
  if (count === 0) return null;
  const [upper, tall] = [Math.min(from, to), Math.abs(to - from)];
  const fits = tall >= 18;
  const label = fits
    ? drawWords({ x, y: upper + tall / 2 }, countText(count), "inside")
    : drawWords({ x: x + wide / 2 + 8, y: upper + tall / 2 }, countText(count), "name", "start");
  return html`<rect class="${kind}" x="${Math.round(x - wide / 2)}" y="${Math.round(upper * 10) / 10}" width="${Math.round(wide)}" height="${Math.round(tall * 10) / 10}" rx="2"/>${label}`;
}
