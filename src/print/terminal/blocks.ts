import type { SectionOf } from "../../contract/view.ts";
import { measureDisplayWidth, padTo } from "../../text/display-width.ts";
import { formatNumber } from "../../text/number-text.ts";
import { drawColumn, fill, hang, type Page } from "./page.ts";

/** Quotes beside where they come from. */
export function drawLines({ lines }: SectionOf<"lines">, page: Page): string[] {
  const { paint } = page;
  return drawColumn(
    lines.map(({ ref, text, tone }) => ({ name: ref, paintName: paint.dim, text: paint.tone(text, tone) })),
    page,
  );
}

const widestLabel = 24;

/** Each rule with its outcome, and under it why. */
export function drawSteps({ steps }: SectionOf<"steps">, { width, paint }: Page): string[] {
  const column = Math.min(widestLabel, Math.max(0, ...steps.map(({ label }) => measureDisplayWidth(label))));
  return steps.flatMap(({ label, outcome, detail, numbers, tone }) => {
    const says = outcome === "" ? [] : fill(paint.tone(outcome, tone), width - column - 2);
    const figures = Object.entries(numbers ?? {}).map(([name, value]) => `${name} ${formatNumber(value)}`);
    const why = detail === "" ? figures.join(" · ") : detail;
    return [
      ...besideLabel(label, says, column, width),
      ...hang(" ".repeat(column + 4), why, width)
        .filter((line) => line.trim() !== "")
        .map(paint.dim),
    ];
  });
}

function besideLabel(label: string, lines: string[], column: number, width: number): string[] {
  if (measureDisplayWidth(label) > column || lines.length === 0)
    return [...fill(label, width), ...lines.map((line) => `${" ".repeat(column + 2)}${line}`)];
  return lines.map((line, i) => `${padTo(i === 0 ? label : "", column)}  ${line}`);
}

/** Cards one under another: title with subtitle, the body indented, what it refers to. */
export function drawCards({ cards }: SectionOf<"cards">, page: Page): string[] {
  const blocks = cards.map((card) => drawCard(card, page));
  const apart = blocks.some((lines) => lines.length > tightCard) ? [""] : [];
  return blocks.flatMap((lines, i) => (i === 0 ? lines : [...apart, ...lines]));
}

/** Up to how many lines cards stand without a line between them. */
const tightCard = 3;

function drawCard(
  { title, subtitle, body, links = [], tone }: SectionOf<"cards">["cards"][number],
  { width, paint }: Page,
): string[] {
  const head = `${paint.tone(paint.bold(title), tone)}${subtitle === undefined ? "" : paint.dim(` · ${subtitle}`)}`;
  const lines = body.split("\n").flatMap((line) => {
    const [, mark = "", words = ""] = /^(↳ |- )?(.*)$/.exec(line.trim()) ?? [];
    const drawn = words === "" ? [] : hang(`  ${mark}`, words, width);
    return mark === "↳ " ? drawn.map(paint.dim) : drawn;
  });
  return [
    ...fill(head, width),
    ...lines,
    ...(links.length > 0 ? hang("  → ", links.join(" "), width).map(paint.dim) : []),
  ];
}
