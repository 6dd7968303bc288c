import type { Section, SectionOf } from "../../contract/view.ts";
import { escapeAttribute, escapeMarkdown } from "../../text/layout.ts";
import { makePrintable } from "../../text/format.ts";
import { columnOf, isEmpty, type TextBlock, textBlocks } from "../../contract/section-parts.ts";
import { cellText, chartTable, listFindings } from "../section-parts.ts";

/** Sections as Markdown that keeps outside text inert; `level` is that of the headings. */
export function renderMarkdown(sections: readonly Section[], level = 2): string {
  return sections
    .map((section) => writeSection(section, level))
    .filter((text) => text !== "")
    .join("\n\n");
}

function writeSection(section: Section, level: number): string {
  if (isEmpty(section)) return "";
  const body = (bodies[section.kind] as (section: Section, level: number) => string)(section, level);
  if (body === "") return "";
  const note = section.note === undefined ? "" : escapeMarkdown(section.note);
  if (section.kind === "group" && section.folded) return fold(section.title, joined([note, body]));
  return joined([writeHeading(section.title, level), note, body]);
}

function joined(parts: string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

function writeHeading(title: string, level: number): string {
  const text = escapeMarkdown(title);
  return text === "" ? "" : `${"#".repeat(Math.min(6, level))} ${text}`;
}

export function fold(summary: string, inside: string): string {
  return `<details><summary>${escapeAttribute(summary)}</summary>\n\n${inside}\n\n</details>`;
}

const bodies: { [K in Section["kind"]]: (section: SectionOf<K>, level: number) => string } = {
  verdict: writeVerdict,
  facts: ({ rows }) => items(rows.map(({ label, value }) => named(label, escapeMarkdown(value)))),
  text: ({ text, tone }) => {
    const written = joined(textBlocks(text).map(writeBlock));
    return tone === undefined ? written : written.replaceAll(/^/gm, "> ");
  },
  list: ({ items: list, ordered }) => items(list.map(escapeMarkdown), ordered ? "1." : "-"),
  code: ({ text }) => writeCode(makePrintable(text.trimEnd())),
  table: writeTable,
  highlight: ({ text, marks }) =>
    joined([
      text
        .split("\n")
        .map((line) => `> ${escapeMarkdown(line)}`.trimEnd())
        .join("\n"),
      items(
        marks.map(({ start, end, label }) => `“${escapeMarkdown(text.slice(start, end))}” — ${escapeMarkdown(label)}`),
      ),
    ]),
  steps: ({ steps }) => items(steps.map(writeStep), "1."),
  checks: (section) => items(listFindings(section).map(escapeMarkdown)),
  chart: ({ chart, repeats }) => (repeats ? "" : writeTable(chartTable(chart))),
  group: ({ sections }, level) => renderMarkdown(sections, level + 1),
};

function writeBlock(block: TextBlock): string {
  if (block.kind === "list") return items(block.items.map(escapeMarkdown), block.ordered ? "1." : "-");
  return block.lines.map(escapeMarkdown).filter(Boolean).join("\\\n");
}

function writeVerdict({ answer, confidence, sure: word = "confidence", points }: SectionOf<"verdict">): string {
  const sure = confidence === undefined ? "" : ` (${word} ${confidence.toFixed(2)})`;
  return joined([`**${escapeMarkdown(answer)}**${sure}`, items(points.map(escapeMarkdown))]);
}

function writeStep({ label, outcome, detail }: SectionOf<"steps">["steps"][number]): string {
  return `${named(label, escapeMarkdown(outcome), "")} ${escapeMarkdown(detail)}`.trimEnd();
}

function named(name: string, text: string, mark = ":"): string {
  return name.trim() === "" ? text : `**${escapeMarkdown(name)}**${mark} ${text}`.trimEnd();
}

function writeCode(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return text === "" ? "" : `${fence}\n${text}\n${fence}`;
}

/** Leaves out empty items, which would swallow the next one. */
function items(list: readonly string[], mark = "-"): string {
  return list
    .filter((item) => item !== "")
    .map((item) => `${mark} ${item}`)
    .join("\n");
}

const mostRows = 100;

function writeTable({ columns, rows }: Pick<SectionOf<"table">, "columns" | "rows">): string {
  const heads = columns.map(columnOf);
  const rule = heads.map(({ numeric }) => (numeric ? " ---: |" : " --- |")).join("");
  const more = rows.length > mostRows ? [`\n… and ${rows.length - mostRows} more rows.`] : [];
  const body = rows.slice(0, mostRows).map((row) => writeRow(heads.map((_, i) => cellText(row[i]))));
  return [writeRow(heads.map(({ name }) => name)), `|${rule}`, ...body, ...more].join("\n");
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => escapeMarkdown(cell) || " ").join(" | ")} |`;
}
