import { Command } from "commander";
import { readFileSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import {
  addItems,
  detectLanguage,
  type Evidence,
  findCitedProvisions,
  type Knowledge,
  loadKnowledge,
  parseCorpus,
  readFrame,
  search,
} from "../knowledge/law/index.ts";
import type { Io } from "./io.ts";
import { parseCount } from "./options.ts";

type Options = { limit: number; all?: boolean; json?: boolean; corpus?: string };

/** `parley law sources [QUERY]` */
export function createSourcesCommand(io: Io): Command {
  return new Command("sources")
    .description("Lists and searches the sources the law pack may cite, each with its origin and confidence.")
    .argument("[query]", 'words to search for, a provision ("Pasal 852 KUHPerdata"), or an id')
    .option("--limit <number>", "how many hits", parseCount, 10)
    .option("--all", "list every item")
    .option("--json", "as JSON Lines")
    .option("--corpus <file>", "your own articles and norms as well")
    .action((query: string | undefined, { limit, all, json, corpus }: Options) => {
      const knowledge = addItems(loadKnowledge(), corpus === undefined ? [] : readCorpus(io, corpus));
      if (query === undefined && !all && !json) return io.out(overview(knowledge));
      const found = query === undefined ? knowledge.items : searchSources(query, knowledge, all ? Infinity : limit);
      if (found.length === 0) throw new ParleyError("bad_input", `nothing in this knowledge base matches "${query}"`);
      const language = query === undefined ? "id" : detectLanguage(query);
      io.out(
        json
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
    throw new ParleyError("bad_input", `${missing.join(", ")}: not in this knowledge base (it may still exist)`);
  const named = cited.flatMap(({ id }) => (id === null ? [] : (knowledge.find(id) ?? [])));
  const found = search(knowledge, query, readFrame(query)).map(({ evidence }) => evidence);
  return [...new Set([...named, ...found])].slice(0, limit);
}

/** An id or an alias, as this command prints them: a name, not words to search for. */
function isReference(query: string): boolean {
  return /^(?:(?:NAT|ADT|OWN)-\S+|[\p{L}\d.-]+:\S+)$/iu.test(query.trim());
}

function block(item: Evidence, language: "id" | "en"): string {
  const isEnglish = language === "en";
  const scope = isEnglish ? item.scope_en : item.scope;
  const about = [item.kind, item.regime, item.community, item.confidence].filter(Boolean).join(", ");
  const aliases = item.aliases.filter((alias) => !alias.endsWith(")"));
  return [
    `${item.id}  ${isEnglish ? item.title_en : item.title}  (${about})`,
    `  ${isEnglish ? item.statement_en : item.statement}`,
    ...(scope === null ? [] : [`  ${scope}`]),
    `  ${isEnglish ? "source" : "sumber"}: ${item.source}`,
    ...(aliases.length > 0 ? [`  ${isEnglish ? "also" : "alias"}: ${aliases.join(", ")}`] : []),
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

/** The articles and norms of a user's own file. */
export function readCorpus(io: Io, given: string): Evidence[] {
  const read = (): string => {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(resolve(io.cwd, given)));
    } catch (cause) {
      throw new ParleyError("bad_input", `${given}: there is no such file, or it is not UTF-8 text`, { cause });
    }
  };
  return parseCorpus(read(), basename(given, extname(given)));
}
