import type { Section, SectionOf } from "../../contract/view.ts";
import { makePrintable } from "../../text/printable.ts";
import { isEmpty } from "../is-empty.ts";
import { listFindings } from "../list-findings.ts";
import { createPaint } from "../paint.ts";
import { drawCards, drawLines, drawSteps } from "./blocks.ts";
import { drawChart, drawSeries } from "./chart-lines.ts";
import { drawMarks } from "./marks.ts";
import { fill, type Page } from "./page.ts";
import { drawCode, drawFacts, drawList, drawText, drawVerdict } from "./prose.ts";
import { drawTable } from "./table.ts";

/** How wide and how colourful the terminal is. */
export type TerminalStyle = { width: number; color: boolean };

const narrowest = 40;

/** Sections as text for a terminal, ending with a newline; what holds text that would steer the terminal has no colours. */
export function renderTerminal(sections: readonly Section[], { width, color }: TerminalStyle): string {
  const draw = (painted: boolean): string => {
    const lines = drawSections(sections, { width: Math.max(narrowest, width), paint: createPaint(painted) });
    return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  };
  const plain = draw(false);
  const shown = makePrintable(plain);
  return color && shown === plain ? draw(true) : shown;
}

function drawSections(sections: readonly Section[], page: Page): string[] {
  return sections
    .map((section) => drawSection(section, page))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, i) => (i === 0 ? lines : ["", ...lines]));
}

/** The title at the margin and what it is about under it, indented; nothing where there is nothing to show. */
function drawSection(section: Section, page: Page): string[] {
  const inside = { ...page, width: page.width - indent.length };
  if (section.detail || isEmpty(section)) return [];
  if (section.kind === "verdict") return drawVerdict(section, page);
  const body = (drawings[section.kind] as (section: Section, page: Page) => string[])(section, inside);
  const note = section.note === undefined ? [] : fill(section.note, inside.width).map(page.paint.dim);
  if (body.length === 0) return [];
  const title = fill(section.title, page.width).map(page.paint.bold);
  const gap = section.kind === "group" && title.length > 0 ? [""] : [];
  return [...title, ...gap, ...[...body, ...note].map((line) => (line === "" ? "" : `${indent}${line}`))];
}

const indent = "  ";

const drawings: { [K in Exclude<Section["kind"], "verdict">]: (section: SectionOf<K>, page: Page) => string[] } = {
  facts: drawFacts,
  text: drawText,
  list: drawList,
  code: drawCode,
  table: drawTable,
  highlight: drawMarks,
  lines: drawLines,
  steps: drawSteps,
  checks: (section, page) => drawList({ kind: "list", title: "", items: listFindings(section) }, page),
  cards: drawCards,
  series: drawSeries,
  chart: drawChart,
  runs: ({ rows }, { paint }) => [paint.dim(`${rows.length} runs; parley show RUN shows one`)],
  group: ({ sections }, page) => drawSections(sections, page),
};
