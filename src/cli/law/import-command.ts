import { readFileSync, statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import type { Io } from "../terminal/io.ts";
import { type CorpusFormat, parseCorpus, saveCorpus, loadKnowledge, addItems } from "../../knowledge/law/index.ts";
import { type CorpusOptions, resolveCorpusFolder, readOwnItems } from "./own-corpus.ts";

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
