import { Command } from "commander";
import {
  findCitedProvisions,
  type Evidence,
  type Knowledge,
  detectLanguage,
  readFrame,
  search,
  loadKnowledge,
  addItems,
} from "../../knowledge/law/index.ts";
import { ParleyError } from "../../contract/error.ts";
import type { Io } from "../terminal/io.ts";
import { parseCount } from "../setting/options.ts";
import { type CorpusOptions, readOwnItems } from "./own-corpus.ts";

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
