import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { findCitedProvisions, findLaws } from "./citations.ts";
import { readFrame } from "./frame.ts";
import { buildKnowledge, ConfidenceSchema, type Evidence, RegimeSchema } from "./items.ts";
import { search } from "./search.ts";

const text = z.string().trim().min(1, "is empty");

const EntrySchema = z.strictObject({
  id: text.optional(),
  title: text.optional(),
  text,
  text_en: text.optional(),
  /** The law ("UU 11/2020") and its article ("5") form the alias `UU-11-2020:5`. */
  law: text.optional(),
  article: z.union([text, z.int().transform(String)]).optional(),
  community: text.optional(),
  regime: RegimeSchema.optional(),
  topics: z.array(text).optional(),
  source: text.optional(),
  confidence: ConfidenceSchema.optional(),
});

const shownProblems = 10;

export function parseCorpus(source: string, corpus: string): Evidence[] {
  const problems: string[] = [];
  const items = readRows(source, problems).flatMap(({ place, value }) => {
    const read = EntrySchema.safeParse(value);
    if (read.success) return [completeEntry(read.data, corpus, place)];
    for (const { path, message } of explainIssues(EntrySchema, read.error))
      problems.push(`${place}${path.length > 0 ? `, ${formatPath(path)}` : ""}: ${message}`);
    return [];
  });
  if (items.length === 0 && problems.length === 0) problems.push("the file holds no entry");
  if (problems.length > 0)
    throw new ParleyError("bad_input", `${corpus}: ${problems.slice(0, shownProblems).join("; ")}`);
  return items;
}

function readRows(source: string, problems: string[]): { place: string; value: unknown }[] {
  const isList = source.trimStart().startsWith("[");
  const rows = (isList ? [source] : source.split("\n")).flatMap((json, index) => {
    const place = isList ? "the file" : `line ${index + 1}`;
    try {
      return json.trim() === "" ? [] : [{ place, value: JSON.parse(json) as unknown }];
    } catch (error) {
      problems.push(`${place}: not JSON (${error instanceof Error ? error.message : String(error)})`);
      return [];
    }
  });
  if (!isList) return rows;
  return rows.flatMap(({ value }) => value).map((value, index) => ({ place: `entry ${index + 1}`, value }));
}

function completeEntry(entry: z.infer<typeof EntrySchema>, corpus: string, place: string): Evidence {
  const isAdat = entry.regime === "adat" || (entry.regime === undefined && entry.community !== undefined);
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
    confidence: entry.confidence ?? "unconfirmed",
    mandatory: false,
    related: [],
  };
}

/** "UU No. 11 Tahun 2020", "UU 11/2020" and the law's common name all become `UU-11-2020`; other names are joined by hyphens. */
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

export function selectOwnItems(query: string, items: Evidence[], limit = 40): Evidence[] {
  const knowledge = buildKnowledge(items);
  const cited = findCitedProvisions(query, knowledge).flatMap(({ id }) =>
    id === null ? [] : (knowledge.find(id) ?? []),
  );
  const found = search(knowledge, query, readFrame(query)).map(({ evidence }) => evidence);
  return [...new Set([...cited, ...found])].slice(0, limit);
}
