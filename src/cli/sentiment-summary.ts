import type { Section } from "../contract/view.ts";
import { drawPage } from "../print/html/draw-page.ts";
import { renderHtml } from "../print/html/render-html.ts";
import { html, type Markup } from "../text/html.ts";
import { formatCount } from "../text/number-text.ts";
import { cutText } from "../text/short-text.ts";
import type { ReadText, Source } from "./sentiment-table.ts";

/** What a file of texts says, on one page for those who do not read the table: plots, what the debate changed, examples. */
export function drawSummary(source: Source, texts: readonly ReadText[]): string {
  const parts = listParts(source, texts);
  return drawPage({
    title: source.name,
    language: "en",
    head: html`<p class="eyebrow">Parley · sentiment</p><h1>${source.name}</h1><p>${describeAll(texts)}</p>`,
    contents: parts.map(({ id, title }) => ({ id, title })),
    main: html`${parts.map(({ id, title, note, body }) => html`<section id="${id}"><h2>${title}</h2>${note !== undefined && html`<p class="soft">${note}</p>`}${body}</section>`)}`,
    foot: html`Made by Parley. This file needs no network; it can be sent and printed.`,
    style: barStyle,
  });
}

type Part = { id: string; title: string; note?: string; body: Markup };

const mostAspects = 15;

function listParts(source: Source, texts: readonly ReadText[]): Part[] {
  const aspects = sortBySize(countBy(texts, (_, aspect) => aspect.toLowerCase()));
  const more = aspects.length - mostAspects;
  const time = findTimeColumn(source, texts);
  const groups = findGroupColumns(source, texts).filter((name) => name !== time);
  return [
    {
      id: "aspects",
      title: "By aspect",
      note: more > 0 ? `The ${mostAspects} most frequent of ${aspects.length}.` : undefined,
      body: drawBars(aspects.slice(0, mostAspects)),
    },
    ...groups.map((name, index) => ({
      id: `group-${index + 1}`,
      title: `By ${name}`,
      body: drawBars(sortBySize(countBy(texts, (text) => wordOf(text, name) || null))),
    })),
    ...(time === null
      ? []
      : [{ id: "time", title: `Over time (${time})`, body: drawBars(countOverTime(texts, time)) }]),
    ...listChanges(source, texts),
    ...listExamples(source, texts),
    ...listProblems(texts),
  ];
}

/** The largest first; names that are numbers, such as stars, in their order. */
function sortBySize(shares: readonly Shares[]): Shares[] {
  if (shares.every(({ name }) => name.trim() !== "" && Number.isFinite(Number(name))))
    return shares.toSorted((a, b) => Number(a.name) - Number(b.name));
  return shares.toSorted((a, b) => sumShares(b) - sumShares(a) || a.name.localeCompare(b.name));
}

function describeAll(texts: readonly ReadText[]): string {
  const overall = Map.groupBy(texts, ({ rows }) => rows[0]?.overall ?? "none");
  const share = (label: string): string =>
    `${Math.round((100 * (overall.get(label)?.length ?? 0)) / Math.max(1, texts.length))} %`;
  const opinions = texts.reduce((sum, { rows }) => sum + rows.filter(({ aspect }) => aspect !== null).length, 0);
  const labels = ["positive", "negative", "mixed", "neutral"].map((label) => `${share(label)} ${label}`);
  return `${formatCount(texts.length, "text")}, ${formatCount(opinions, "opinion")}. Texts as a whole: ${labels.join(", ")}.`;
}

/** Bars that are also a table: every share has its count beside it. */
function drawBars(rows: readonly Shares[]): Markup {
  const largest = Math.max(1, ...rows.map(sumShares));
  const kinds = ["positive", "neutral", "negative"] as const;
  const bar = (row: Shares): Markup[] =>
    kinds.map((kind) => html`<i class="bar ${kind}" style="width:${((100 * row[kind]) / largest).toFixed(2)}%"></i>`);
  return html`<div class="scroll"><table class="bars"><thead><tr><th></th><th><span class="key positive">positive</span> <span class="key neutral">neutral</span> <span class="key negative">negative</span></th><th>positive</th><th>neutral</th><th>negative</th></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><th scope="row">${cutText(row.name, 40)}</th><td class="track">${bar(row)}</td><td>${row.positive}</td><td>${row.neutral}</td><td>${row.negative}</td></tr>`,
  )}</tbody></table></div>`;
}

const shownTexts = 10;

/** The texts whose reading the debate changed most, surest first. */
function listChanges(source: Source, texts: readonly ReadText[]): Part[] {
  const changed = texts
    .filter(({ rows }) => rows.some((row) => row.changed_by_debate === true))
    .toSorted(
      (a, b) => countChanged(b) - countChanged(a) || (b.rows[0]?.confidence ?? 0) - (a.rows[0]?.confidence ?? 0),
    );
  const note = `${formatCount(changed.length, "text was", "texts were")} read otherwise after the debate than before it${changed.length > shownTexts ? `; ${shownTexts} of them` : ""}.`;
  if (changed.length === 0)
    return [
      {
        id: "changed",
        title: "Changed by the debate",
        body: html`<p>Nothing was read otherwise after the debate.</p>`,
      },
    ];
  const cards = changed.slice(0, shownTexts).map((text) => ({
    id: text.rows[0]?.run ?? "",
    title: wordOf(text, source.columns.text),
    body: describeChange(text),
  }));
  return [
    { id: "changed", title: "Changed by the debate", note, body: drawSection({ kind: "cards", title: "", cards }) },
  ];
}

function countChanged({ rows }: ReadText): number {
  return rows.filter((row) => row.changed_by_debate === true).length;
}

function describeChange({ output }: ReadText): string {
  if (!output) return "";
  const { stage1_tuples, final_tuples } = output.final_result;
  const word = (tuples: readonly { aspect_ref: string; polarity: string }[]): string =>
    tuples.map(({ aspect_ref, polarity }) => `${aspect_ref || "(implicit)"} ${polarity}`).join(", ") || "no opinion";
  return `before: ${word(stage1_tuples)}\nafter: ${word(final_tuples)}`;
}

/** The surest texts of each kind. */
function listExamples(source: Source, texts: readonly ReadText[]): Part[] {
  const sure = texts.toSorted((a, b) => (b.rows[0]?.confidence ?? 0) - (a.rows[0]?.confidence ?? 0));
  const lines = ["negative", "positive", "mixed"].flatMap((label) =>
    sure
      .filter(({ rows }) => rows[0]?.overall === label)
      .slice(0, 3)
      .map((text) => ({ ref: label, text: wordOf(text, source.columns.text), tone: tones[label] })),
  );
  return lines.length === 0
    ? []
    : [
        {
          id: "examples",
          title: "Examples",
          note: "The surest of each kind.",
          body: drawSection({ kind: "lines", title: "", lines }),
        },
      ];
}

const tones: Record<string, "good" | "bad" | "neutral"> = { positive: "good", negative: "bad", mixed: "neutral" };

function listProblems(texts: readonly ReadText[]): Part[] {
  const failed = texts.filter(({ rows }) => rows[0]?.outcome !== "decided");
  if (failed.length === 0) return [];
  const lines = failed
    .slice(0, shownTexts)
    .map(({ rows }) => ({ ref: rows[0]?.outcome ?? "", text: rows[0]?.problem ?? "" }));
  return [
    {
      id: "problems",
      title: "Not decided",
      note: formatCount(failed.length, "text"),
      body: drawSection({ kind: "lines", title: "", lines }),
    },
  ];
}

function drawSection(section: Section): Markup {
  return renderHtml([section]);
}

const barStyle = `
.bars{width:100%;border-collapse:collapse}.bars th[scope=row]{font-weight:400;text-align:left;white-space:nowrap;padding:2px 12px 2px 0}
.bars thead th{font-weight:400;text-align:left;padding:2px 8px}.bars td{padding:2px 8px;text-align:right;font-variant-numeric:tabular-nums}
.bars .track{width:60%;min-width:180px;text-align:left;white-space:nowrap;font-size:0}.bar{display:inline-block;height:14px}
.bar.positive,.key.positive::before{background:#3a8a5f}.bar.neutral,.key.neutral::before{background:#b9b4aa}.bar.negative,.key.negative::before{background:#b8493c}
.key::before{content:"";display:inline-block;width:10px;height:10px;margin-right:4px}`;

/** How often each polarity was found under a name. */
export type Shares = { name: string; positive: number; neutral: number; negative: number };

/** Counts opinions by whatever an opinion is filed under; a null name leaves it out. */
export function countBy(
  texts: readonly ReadText[],
  nameOf: (text: ReadText, aspect: string) => string | null,
): Shares[] {
  const found = new Map<string, Shares>();
  for (const text of texts)
    for (const { aspect, polarity } of text.rows) {
      const name = aspect === null ? null : nameOf(text, aspect);
      if (name === null || (polarity !== "positive" && polarity !== "neutral" && polarity !== "negative")) continue;
      const shares = found.get(name) ?? { name, positive: 0, neutral: 0, negative: 0 };
      shares[polarity] += 1;
      found.set(name, shares);
    }
  return [...found.values()];
}

/** All opinions under a name. */
export function sumShares({ positive, neutral, negative }: Shares): number {
  return positive + neutral + negative;
}

/** More values than this are no groups. */
const mostGroups = 15;

/** The columns by which texts fall into groups: a few values, each of them again and again. */
export function findGroupColumns({ header, columns }: Source, texts: readonly ReadText[]): string[] {
  const others = header.filter((name) => name !== columns.text && name !== columns.id && name !== columns.language);
  const isGrouping = (name: string): boolean => {
    const values = texts.map((text) => wordOf(text, name)).filter((value) => value !== "");
    const distinct = new Set(values).size;
    return distinct >= 2 && distinct <= mostGroups && values.length >= distinct * 3 && values.length * 2 > texts.length;
  };
  return others.filter(isGrouping).slice(0, 3);
}

/** The column of moments, when there is one: nearly all of its values are dates, and not just numbers. */
export function findTimeColumn({ header }: Source, texts: readonly ReadText[]): string | null {
  const isTime = (name: string): boolean => {
    const values = texts.map((text) => wordOf(text, name)).filter((value) => value !== "");
    const dates = values.filter((value) => readDay(value) !== null);
    return values.length >= 3 && dates.length >= values.length * 0.9 && new Set(dates).size > 1;
  };
  return header.find(isTime) ?? null;
}

/** A moment as a day, when it is written so that no two readings are possible: 2026-11-15, 2026/11/15, 2026.11.15. */
function readDay(text: string): string | null {
  const match = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s].*)?$/.exec(text.trim());
  if (!match) return null;
  const [, year = "", month = "", day = ""] = match;
  return Number(month) <= 12 && Number(day) <= 31 ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : null;
}

/** Opinions by day, or by month when that would be too many. */
export function countOverTime(texts: readonly ReadText[], column: string): Shares[] {
  const days = new Set(texts.map((text) => readDay(wordOf(text, column))).filter((day) => day !== null));
  const length = days.size > 31 ? "2026-11".length : "2026-11-15".length;
  const counted = countBy(texts, (text) => readDay(wordOf(text, column))?.slice(0, length) ?? null);
  return counted.toSorted((a, b) => a.name.localeCompare(b.name)).slice(-36);
}

/** The value of a column in words; empty when it has none. */
export function wordOf({ columns }: ReadText, name: string): string {
  const value = columns[name];
  return typeof value === "string"
    ? value.trim()
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : "";
}
