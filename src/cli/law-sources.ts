import { Command } from "commander";
import { readFileSync, statSync } from "node:fs";
import { basename, extname, resolve, join } from "node:path";
import { ParleyError } from "../contract/error.ts";
import {
  findCitedProvisions,
  type Evidence,
  type Knowledge,
  detectLanguage,
  readFrame,
  search,
  loadKnowledge,
  addItems,
  type CorpusFormat,
  parseCorpus,
  saveCorpus,
  explain,
  writeExplanation,
  loadCorpora,
} from "../knowledge/law/index.ts";
import type { Io } from "./io.ts";
import { parseCount } from "./options.ts";
import { locateStore } from "./stores.ts";

type Options = CorpusOptions & { limit: number; all?: boolean; json?: boolean };

/** `parley law sources [QUERY]` */
export function createSourcesCommand(io: Io): Command {
  return new Command("sources")
    .description("Lists and searches what the law pack may cite, each item with its source and confidence.")
    .argument("[query]", 'words to search for, a provision ("Pasal 852 KUHPerdata"), or an id')
    .option("--limit <number>", "how many hits", parseCount, 10)
    .option("--all", "list every item")
    .option("--json", "as JSON Lines")
    .option("--corpus <folder>", "your own corpus (default: the store's law folder)")
    .option("--store <folder>", "where runs are kept (default: .parley)")
    .action((query: string | undefined, options: Options) => {
      const knowledge = addItems(loadKnowledge(), readOwnItems(io, options));
      if (query === undefined && !options.all && !options.json) return io.out(overview(knowledge));
      const found =
        query === undefined ? knowledge.items : searchSources(query, knowledge, options.all ? Infinity : options.limit);
      if (found.length === 0) throw new ParleyError("bad_input", `nothing in this knowledge base matches "${query}"`);
      const language = query === undefined ? "id" : detectLanguage(query);
      io.out(
        options.json
          ? found.map((item) => `${JSON.stringify(item)}\n`).join("")
          : `${found.map((item) => block(item, language)).join("\n\n")}\n`,
      );
    });
}

/** The item of that id, else what the query cites, else what its words find. */
function searchSources(query: string, knowledge: Knowledge, limit: number): Evidence[] {
  const exact = knowledge.find(query);
  if (exact) return [exact];
  const cited = findCitedProvisions(query, knowledge);
  const unknown = cited.filter(({ known }) => !known).map(({ text }) => text);
  const missing = unknown.length === 0 && isReference(query) ? [query.trim()] : unknown;
  if (missing.length > 0)
    throw new ParleyError(
      "bad_input",
      `${missing.join(", ")}: not in this knowledge base (which is not to say that it does not exist)`,
    );
  const named = cited.flatMap(({ id }) => (id === null ? [] : (knowledge.find(id) ?? [])));
  const found = search(knowledge, query, readFrame(query)).map(({ evidence }) => evidence);
  return [...new Set([...named, ...found])].slice(0, limit);
}

/** An id or an alias, as this command prints them: a name, not words to search for. */
function isReference(query: string): boolean {
  return /^(?:(?:NAT|ADT|OWN)-\S+|[\p{L}\d.-]+:\S+)$/iu.test(query.trim());
}

function block(item: Evidence, language: "id" | "en"): string {
  const scope = language === "en" ? item.scope_en : item.scope;
  const about = [item.kind, item.regime, item.community, item.confidence].filter(Boolean).join(", ");
  return [
    `${item.id}  ${language === "en" ? item.title_en : item.title}  (${about})`,
    `  ${language === "en" ? item.statement_en : item.statement}`,
    ...(scope === null ? [] : [`  ${scope}`]),
    `  ${language === "en" ? "source" : "sumber"}: ${item.source}`,
    ...(item.aliases.length > 0
      ? [
          `  ${language === "en" ? "also" : "alias"}: ${item.aliases.filter((alias) => !alias.endsWith(")")).join(", ")}`,
        ]
      : []),
  ].join("\n");
}

function overview({ items }: Knowledge): string {
  const groups = Map.groupBy(items, (item) => [item.regime, item.community, item.kind].filter(Boolean).join(", "));
  const rows = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, of]) => {
      const confirmed = of.filter(({ confidence }) => confidence === "confirmed").length;
      return `  ${name.padEnd(36)} ${String(of.length).padStart(4)}   ${String(confirmed).padStart(4)} confirmed in a source`;
    });
  return [
    `${items.length} items; their statements are paraphrases, not the wording of the sources`,
    ...rows,
    'Search: parley law sources "gadai pusako tinggi"   One item: parley law sources KUHPerdata:852   All: --all',
    "",
  ].join("\n");
}

const formats: Record<string, CorpusFormat> = {
  ".json": "json",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".md": "markdown",
  ".markdown": "markdown",
};
const maxBytes = 50 * 1024 * 1024;
const shownProblems = 20;

/** `parley law import FILE` */
export function createImportCommand(io: Io): Command {
  return new Command("import")
    .description("Adds your own articles or norms to the knowledge base: JSON, JSON Lines or Markdown.")
    .argument("<file>", "the file; importing a file of the same name again replaces what it held")
    .option("--corpus <folder>", "where to keep it (default: the store's law folder)")
    .option("--store <folder>", "where runs are kept (default: .parley)")
    .addHelpText("after", help)
    .action((path: string, options: CorpusOptions) => importFile(io, path, options));
}

function importFile(io: Io, path: string, options: CorpusOptions): void {
  const corpus = basename(path, extname(path));
  const { items, problems } = parseCorpus(readCorpusFile(resolve(io.cwd, path), path), formatOf(path), corpus);
  for (const problem of problems.slice(0, shownProblems)) io.err(`parley: ${path}: ${problem}\n`);
  if (problems.length > shownProblems) io.err(`parley: ${path}: and ${problems.length - shownProblems} more\n`);
  if (items.length === 0) throw new ParleyError("bad_input", `${path}: nothing was imported`);
  const others = readOwnItems(io, options).filter(({ id }) => !items.some((item) => item.id === id));
  addItems(loadKnowledge(), [...others, ...items]);
  const file = saveCorpus(resolveCorpusFolder(io, options), corpus, items);
  io.out(`${items.length} ${items.length === 1 ? "item" : "items"} imported into ${file}\n`);
  if (problems.length > 0) io.exit.code = 2;
}

function formatOf(path: string): CorpusFormat {
  const format = formats[extname(path).toLowerCase()];
  if (!format) throw new ParleyError("bad_input", `${path}: a corpus is a .json, .jsonl or .md file`);
  return format;
}

function readCorpusFile(file: string, given: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new ParleyError("bad_input", `${given}: there is no such file`);
  if (found.size > maxBytes)
    throw new ParleyError(
      "bad_input",
      `${given}: ${Math.round(found.size / 1e6)} MB; at most ${maxBytes / 1024 / 1024} MB can be imported at once`,
    );
  const bytes = readFileSync(file);
  if (bytes.subarray(0, 8000).includes(0))
    throw new ParleyError("bad_input", `${given}: that is a binary file, not a text`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ParleyError("bad_input", `${given}: not UTF-8; convert it first, e.g. with iconv`, { cause });
  }
}

const help = `
JSON:      [{ "law": "Perda Nagari 3/2021", "article": "5", "text": "…", "community": "minangkabau", "source": "…" }]
           only "text" is needed; also id, title, text_en, domain, regime, topics, confidence
JSON Lines: one such object per line
Markdown:  # Perda Nagari 3/2021
           ## Pasal 5
           The text of the article.`;

/** `parley law explain QUESTION` */
export function createExplainCommand(io: Io): Command {
  return new Command("explain")
    .description(
      "Shows what the rules make of a question: its facts, each conclusion with its proof, unknowns, contradictions.",
    )
    .argument("<question>", "the question, in Indonesian or English")
    .option("--json", "print it as JSON")
    .action((question: string, { json }: { json?: boolean }) => {
      const explanation = explain(question);
      io.out(json ? `${JSON.stringify(explanation, null, 2)}\n` : writeExplanation(explanation));
    });
}

export type CorpusOptions = { corpus?: string; store?: string; config?: string };

/** Where a user's own corpus lies: `--corpus`, else the folder `law` in the store. */
export function resolveCorpusFolder(io: Io, { corpus, store, config }: CorpusOptions): string {
  if (corpus !== undefined) return resolve(io.cwd, corpus);
  return join(locateStore(io, { store, config }), "law");
}

/** Everything that the user imported. */
export function readOwnItems(io: Io, options: CorpusOptions): Evidence[] {
  return loadCorpora(resolveCorpusFolder(io, options)).flatMap(({ items }) => items);
}
