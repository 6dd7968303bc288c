import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { findArticles, findCitedProvisions, findLaws } from "./citations.ts";
import { readFrame } from "./frame.ts";
import { buildKnowledge, type Evidence, EvidenceSchema, ownSourceKind } from "./items.ts";
import { search } from "./search.ts";

const text = z.string().trim().min(1, "is empty");

/** One article or norm of a user's own corpus; `text` is its wording or a summary. */
const EntrySchema = z.strictObject({
  id: text.optional(),
  title: text.optional(),
  text,
  text_en: text.optional(),
  /** The law it belongs to ("UU 11/2020") and its article ("5"): together they make the alias `UU-11-2020:5`. */
  law: text.optional(),
  article: z.union([text, z.int().transform(String)]).optional(),
  community: text.optional(),
  domain: EvidenceSchema.shape.domain.optional(),
  regime: EvidenceSchema.shape.regime.optional(),
  topics: z.array(text).optional(),
  source: text.optional(),
  confidence: EvidenceSchema.shape.confidence.optional(),
});

/** What a corpus file holds: the items that can be used, and what is wrong with the rest, with its place. */
export type ParsedCorpus = { items: Evidence[]; problems: string[] };
export type CorpusFormat = "json" | "jsonl" | "markdown";
type Row = { place: string; value: unknown };

const emptyMessage: Record<CorpusFormat, string> = {
  json: "the file holds no entry",
  jsonl: "the file holds no line with an entry",
  markdown:
    'no heading with text under it; write e.g. "# UU 11/2020" and below it "## Pasal 5" with the article\'s text',
};

/** Reads a user's corpus (law spec §2.7): JSON (an array, or `{ items: [] }`), JSON Lines, or Markdown with one article under each heading. */
export function parseCorpus(source: string, format: CorpusFormat, corpus: string): ParsedCorpus {
  const problems: string[] = [];
  const items: Evidence[] = [];
  for (const { place, value } of readRows(source, format, problems)) {
    const read = EntrySchema.safeParse(value);
    if (!read.success) {
      for (const { path, message } of explainIssues(EntrySchema, read.error))
        problems.push(`${place}${path.length > 0 ? `, ${formatPath(path)}` : ""}: ${message}`);
      continue;
    }
    const item = completeEntry(read.data, corpus, place);
    const holder = items.find((one) => one.id === item.id || one.aliases.some((alias) => item.aliases.includes(alias)));
    if (holder)
      problems.push(
        `${place}: "${item.id}" is already the id of an earlier entry (${holder.title}); give it an id of its own`,
      );
    else items.push(item);
  }
  if (items.length === 0 && problems.length === 0) problems.push(emptyMessage[format]);
  return { items, problems };
}

function readRows(source: string, format: CorpusFormat, problems: string[]): Row[] {
  if (format === "markdown") return readMarkdown(source);
  const read = (line: string, place: string): unknown => {
    try {
      return JSON.parse(line) as unknown;
    } catch (error) {
      problems.push(`${place}: not JSON (${error instanceof Error ? error.message : String(error)})`);
      return undefined;
    }
  };
  if (format === "jsonl")
    return source.split("\n").flatMap((line, index) => {
      const place = `line ${index + 1}`;
      const value = line.trim() === "" ? undefined : read(line, place);
      return value === undefined ? [] : [{ place, value }];
    });
  const value = read(source, "the file");
  const list = value !== null && typeof value === "object" && "items" in value ? value.items : value;
  if (Array.isArray(list)) return list.map((one: unknown, index) => ({ place: `entry ${index + 1}`, value: one }));
  if (value !== undefined) problems.push('the file must hold an array of entries, or { "items": [ … ] }');
  return [];
}

/** One entry for each heading with text; the heading above it names its law. */
function readMarkdown(source: string): Row[] {
  const sections: { level: number; heading: string; line: number; body: string[] }[] = [];
  for (const [index, line] of source.split(/\r?\n/).entries()) {
    const [, marks, heading = ""] = /^(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line) ?? [];
    if (marks) sections.push({ level: marks.length, heading, line: index + 1, body: [] });
    else sections.at(-1)?.body.push(line);
  }
  return sections.flatMap(({ level, heading, line, body }, index) => {
    const wording = body.join("\n").trim();
    if (wording === "" && (sections[index + 1]?.level ?? 0) > level) return [];
    const parent = sections.slice(0, index).findLast((one) => one.level < level)?.heading;
    return [{ place: `line ${line}`, value: makeEntry(heading, parent, wording) }];
  });
}

function makeEntry(heading: string, parent: string | undefined, wording: string): Record<string, unknown> {
  const [named, ...others] = findArticles(heading);
  const before = named ? heading.slice(0, named.start).trim() : "";
  const article =
    named && others.length === 0 && (before === "" || findLaws(before).length > 0) ? named.article : undefined;
  const own = article === undefined ? undefined : findLaws(heading)[0]?.text;
  const isWhole = parent === undefined || own !== undefined;
  const title = isWhole ? heading : `${parent} ${article === undefined ? "– " : ""}${heading}`;
  const of = own ?? parent;
  const [, community] = /\badat\s+([\p{L}]+)/iu.exec(`${parent ?? ""} ${heading}`) ?? [];
  return {
    title,
    text: wording,
    ...(article === undefined || of === undefined ? {} : { law: of, article }),
    ...(community && article === undefined ? { community } : {}),
  };
}

/** The evidence item of an entry; what it does not say follows from its community, or is the cautious choice. */
function completeEntry(entry: z.infer<typeof EntrySchema>, corpus: string, place: string): Evidence {
  const isAdat =
    entry.domain === "adat" || entry.regime === "adat" || (entry.domain === undefined && entry.community !== undefined);
  const alias =
    entry.law !== undefined && entry.article !== undefined ? [`${writeLawKey(entry.law)}:${entry.article}`] : [];
  const named = [entry.law, entry.article && `Pasal ${entry.article}`].filter(Boolean).join(" ");
  const title = entry.title ?? (named || `${corpus} ${place}`);
  const join = (wording: string): string => wording.trim().replaceAll(/\s+/g, " ");
  return {
    id: entry.id ?? `OWN-${writeSlug(corpus)}-${writeSlug(alias[0] ?? entry.title ?? place)}`,
    aliases: alias,
    kind: isAdat ? "norm" : "provision",
    domain: isAdat ? "adat" : "national",
    regime: entry.regime ?? (isAdat ? "adat" : "national"),
    community: entry.community?.toLowerCase() ?? null,
    title,
    title_en: title,
    statement: join(entry.text),
    statement_en: join(entry.text_en ?? entry.text),
    scope: null,
    scope_en: null,
    topics: entry.topics ?? [],
    source: entry.source ?? `${corpus}, ${place}`,
    source_kind: ownSourceKind,
    confidence: entry.confidence ?? "unconfirmed",
    related: [],
  };
}

/** "UU No. 11 Tahun 2020" and "UU 11/2020" → `UU-11-2020`, as is a name by which that law is known; other names are joined by hyphens. */
function writeLawKey(law: string): string {
  const [known, ...others] = findLaws(law);
  if (known?.key && others.length === 0 && known.text.length === law.trim().length) return known.key;
  return law.trim().replaceAll(/\s+/g, "-");
}

function writeSlug(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .toLowerCase();
}

const FileSchema = z.strictObject({ version: z.literal(1), corpus: z.string(), items: z.array(EvidenceSchema) });

/** Keeps an imported corpus under its name; importing the same name again replaces it. */
export function saveCorpus(folder: string, corpus: string, items: Evidence[]): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${corpus}.json`);
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, `${JSON.stringify({ version: 1, corpus, items }, null, 1)}\n`);
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    const why = `${file} could not be written: ${(cause as Error).message}; what was there before is untouched`;
    throw new ParleyError("write_failed", why, { cause });
  }
  return file;
}

/** Every item that a user imported into this folder; none when the folder does not exist. */
export function loadCorpora(folder: string): { corpus: string; items: Evidence[] }[] {
  return listFiles(folder).map((name) => {
    const file = join(folder, name);
    try {
      const { corpus, items } = FileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
      return { corpus, items };
    } catch (cause) {
      const why = `${file} is not a corpus that "parley law import" wrote; import it again or remove it`;
      throw new ParleyError("bad_input", why, { cause });
    }
  });
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .toSorted();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** The items of a user's corpus that go with a question: what it cites, then what its words find. */
export function selectOwnItems(query: string, items: Evidence[], limit = 40): Evidence[] {
  if (items.length === 0) return [];
  const knowledge = buildKnowledge(items);
  const cited = findCitedProvisions(query, knowledge).flatMap(({ id }) =>
    id === null ? [] : (knowledge.find(id) ?? []),
  );
  const found = search(knowledge, query, readFrame(query)).map(({ evidence }) => evidence);
  return [...new Set([...cited, ...found])].slice(0, limit);
}
