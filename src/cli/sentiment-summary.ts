import type { Chart } from "../contract/chart.ts";
import { frameOf } from "../contract/frame-words.ts";
import type { Section } from "../contract/view.ts";
import { loadPageRenderer } from "../print/viewer-build.ts";
import { formatCount } from "../text/number-text.ts";
import { cutText } from "../text/short-text.ts";
import type { ReadText, Source } from "./sentiment-table.ts";

/** What a file of texts says, on one page for those who do not read the table: plots, what the debate changed, examples. */
export async function renderSummary(source: Source, texts: readonly ReadText[]): Promise<string> {
  const { renderDocument } = await loadPageRenderer();
  return renderDocument({
    title: source.name,
    language: "en",
    from: "Parley · sentiment",
    intro: `${describeAll(texts)}${source.empty > 0 ? ` ${formatCount(source.empty, "row", "rows")} without a text ${source.empty === 1 ? "was" : "were"} skipped.` : ""}`,
    sections: listSections(source, texts),
    foot: "Made by Parley. This file needs no network; it can be sent and printed.",
    words: frameOf("en"),
  });
}

const mostAspects = 15;

function listSections(source: Source, texts: readonly ReadText[]): Section[] {
  const aspects = sortBySize(countBy(texts, (_, aspect) => aspect.toLowerCase()));
  const more = aspects.length - mostAspects;
  const time = findTimeColumn(source, texts);
  const groups = findGroupColumns(source, texts).filter((name) => name !== time);
  return [
    {
      id: "aspects",
      title: "By aspect",
      ...noteOf(
        more > 0 ? `The ${mostAspects} most frequent of ${aspects.length}.` : "",
        aspects.some(({ name }) => name === "(implicit)")
          ? "(implicit): an opinion on the text's subject that names no aspect."
          : "",
      ),
      ...drawBars(aspects.slice(0, mostAspects)),
    },
    ...groups.map((name, index) => ({
      id: `group-${index + 1}`,
      title: `By ${name}`,
      ...drawBars(sortBySize(countBy(texts, (text) => wordOf(text, name) || null))),
    })),
    ...(time === null ? [] : [{ id: "time", title: `Over time (${time})`, ...drawTime(countOverTime(texts, time)) }]),
    ...listChanges(source, texts),
    ...listExamples(source, texts),
    ...listProblems(texts),
  ];
}

function noteOf(...notes: string[]): { note?: string } {
  const note = notes.filter(Boolean).join(" ");
  return note === "" ? {} : { note };
}

/** Few moments as bars, many as a line: the share of opinions that are positive. */
function drawTime(
  rows: readonly Shares[],
): { kind: "chart"; chart: Chart } | { kind: "series"; points: { label: string; value: number }[] } {
  if (rows.length <= mostAspects) return drawBars(rows);
  return {
    kind: "series",
    points: rows.map((row) => ({ label: row.name, value: row.positive / Math.max(1, sumShares(row)) })),
  };
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

function drawBars(rows: readonly Shares[]): { kind: "chart"; chart: Chart } {
  return {
    kind: "chart",
    chart: {
      type: "shares",
      parts: [
        { name: "positive", tone: "good" },
        { name: "neutral", tone: "neutral" },
        { name: "negative", tone: "bad" },
      ],
      rows: rows.map(({ name, positive, neutral, negative }) => ({
        name: cutText(name, 40),
        counts: [positive, neutral, negative],
      })),
    },
  };
}

const shownTexts = 10;

/** The texts whose reading the debate changed most, surest first. */
function listChanges(source: Source, texts: readonly ReadText[]): Section[] {
  const changed = texts
    .filter(({ rows }) => rows.some((row) => row.changed_by_debate === true))
    .toSorted(
      (a, b) => countChanged(b) - countChanged(a) || (b.rows[0]?.confidence ?? 0) - (a.rows[0]?.confidence ?? 0),
    );
  const note = `${formatCount(changed.length, "text was", "texts were")} read otherwise after the debate than before it${changed.length > shownTexts ? `; ${shownTexts} of them` : ""}.`;
  if (changed.length === 0)
    return [
      {
        kind: "text",
        id: "changed",
        title: "Changed by the debate",
        text: "Nothing was read otherwise after the debate.",
      },
    ];
  const cards = changed.slice(0, shownTexts).map((text) => ({
    id: text.rows[0]?.run ?? "",
    title: wordOf(text, source.columns.text),
    body: describeChange(text),
  }));
  return [{ kind: "cards", id: "changed", title: "Changed by the debate", note, cards }];
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
function listExamples(source: Source, texts: readonly ReadText[]): Section[] {
  const sure = texts.toSorted((a, b) => (b.rows[0]?.confidence ?? 0) - (a.rows[0]?.confidence ?? 0));
  const lines = ["negative", "positive", "mixed"].flatMap((label) =>
    /** Equal texts are shown once, with their number. */
    [
      ...Map.groupBy(
        sure.filter(({ rows }) => rows[0]?.overall === label),
        (text) => wordOf(text, source.columns.text),
      ),
    ]
      .slice(0, 3)
      .map(([text, own]) => ({
        ref: label,
        text: own.length > 1 ? `${text} (${own.length} times)` : text,
        tone: tones[label],
      })),
  );
  return lines.length === 0
    ? []
    : [
        {
          kind: "lines",
          id: "examples",
          title: "Examples",
          note: "The surest of each kind.",
          lines,
        },
      ];
}

const tones: Record<string, "good" | "bad" | "neutral"> = { positive: "good", negative: "bad", mixed: "neutral" };

function listProblems(texts: readonly ReadText[]): Section[] {
  const failed = texts.filter(({ rows }) => rows[0]?.outcome !== "decided");
  if (failed.length === 0) return [];
  const lines = failed
    .slice(0, shownTexts)
    .map(({ rows }) => ({ ref: rows[0]?.outcome ?? "", text: rows[0]?.problem ?? "" }));
  return [
    {
      kind: "lines",
      id: "problems",
      title: "Not decided",
      note: formatCount(failed.length, "text"),
      lines,
    },
  ];
}

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
