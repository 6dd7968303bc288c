import type { ReadText } from "./aspect-rows.ts";
import type { Source } from "./result-table.ts";

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
