import type * as z from "zod";
import { explainIssues, formatPath } from "../../../text/explain-issues.ts";
import { type CorpusEntry, CorpusEntrySchema, completeEntry } from "./corpus-entry.ts";
import type { Evidence } from "../items/evidence.ts";
import { readMarkdownEntries } from "./markdown-entries.ts";

/** What a corpus file holds: the items that can be used, and what is wrong with the rest, with its place. */
export type ParsedCorpus = { items: Evidence[]; problems: string[] };

export type CorpusFormat = "json" | "jsonl" | "markdown";

type Row = { place: string; value: unknown };

/** Reads a user's corpus (law spec §2.8): JSON (an array, or `{ items: [] }`), JSON Lines, or Markdown with one article under each heading. */
export function parseCorpus(text: string, format: CorpusFormat, corpus: string): ParsedCorpus {
  const problems: string[] = [];
  const items = new Map<string, Evidence>();
  for (const { place, value } of readRows(text, format, problems)) {
    const read = CorpusEntrySchema.safeParse(value);
    if (!read.success) problems.push(...describe(read.error, place));
    else addItem(read.data, corpus, place, items, problems);
  }
  if (items.size === 0 && problems.length === 0) problems.push(emptyMessage[format]);
  return { items: [...items.values()], problems };
}

function addItem(
  entry: CorpusEntry,
  corpus: string,
  place: string,
  items: Map<string, Evidence>,
  problems: string[],
): void {
  const item = completeEntry(entry, corpus, place);
  const holder = [...items.values()].find(
    (one) => one.id === item.id || one.aliases.some((alias) => item.aliases.includes(alias)),
  );
  if (holder)
    problems.push(
      `${place}: "${item.id}" is already the id of an earlier entry (${holder.title}); give it an id of its own`,
    );
  else items.set(item.id, item);
}

function readRows(text: string, format: CorpusFormat, problems: string[]): Row[] {
  if (format === "markdown") return readMarkdownEntries(text);
  return format === "json" ? readJsonRows(text, problems) : readLineRows(text, problems);
}

function readJsonRows(text: string, problems: string[]): Row[] {
  const value = readJson(text, "the file", problems);
  const list = value !== null && typeof value === "object" && "items" in value ? value.items : value;
  if (Array.isArray(list)) return list.map((one: unknown, index) => ({ place: `entry ${index + 1}`, value: one }));
  if (value !== undefined) problems.push('the file must hold an array of entries, or { "items": [ … ] }');
  return [];
}

function readLineRows(text: string, problems: string[]): Row[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const place = `line ${index + 1}`;
    const value = readJson(line, place, problems);
    return value === undefined ? [] : [{ place, value }];
  });
}

function readJson(text: string, place: string, problems: string[]): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    problems.push(`${place}: not JSON (${error instanceof Error ? error.message : String(error)})`);
    return undefined;
  }
}

const emptyMessage: Record<CorpusFormat, string> = {
  json: "the file holds no entry",
  jsonl: "the file holds no line with an entry",
  markdown:
    'no heading with text under it; write e.g. "# UU 11/2020" and below it "## Pasal 5" with the article\'s text',
};

function describe(error: z.ZodError, place: string): string[] {
  return explainIssues(CorpusEntrySchema, error).map(({ path, message }) => {
    const where = path.length > 0 ? `${place}, ${formatPath(path)}` : place;
    return `${where}: ${message}`;
  });
}
