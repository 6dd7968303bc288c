import { readdirSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { Command } from "commander";
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
  selectOwnItems,
} from "../knowledge/law/index.ts";
import { decide, law, readRecorded, RouteLabelSchema } from "../packs/law/index.ts";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import { isRecord } from "../text/json.ts";
import { formatTable } from "../text/layout.ts";
import { choice, defineCommand, flag, text } from "./command.ts";
import { type Io, parseGivenJson, readNamedFile, requireQuestion } from "./io.ts";
import { promiseOptions, runOptions } from "./options.ts";
import { runCase } from "./run-case.ts";

export function command(io: Io): Command {
  return defineCommand({
    name: "law",
    arguments: { "<question>": "the question, in Indonesian or English" },
    options: {
      hint: choice("<label>", "what the question is about; overrides the automatic choice", RouteLabelSchema.options),
      corpus: text("<file>", "your own articles and norms: a JSON array, or one entry per line"),
      ...runOptions,
      ...promiseOptions,
    },
    commands: [sourcesCommand(io), decideCommand(io)],
    async action({ hint, corpus, ...options }, query: string) {
      requireQuestion(io, query, law.name);
      const own = corpus === undefined ? [] : selectOwnItems(query, readCorpus(io, corpus));
      const input = {
        query,
        ...(hint === undefined ? {} : { domain_hint: hint }),
        ...(own.length > 0 ? { corpus: own } : {}),
      };
      await runCase(io, options, law, input);
    },
  });
}

function sourcesCommand(io: Io): Command {
  return defineCommand({
    name: "sources",
    arguments: { "<query>": 'words to search for, a provision ("Pasal 852 KUHPerdata"), or an id' },
    options: {
      json: flag("as JSON Lines"),
      corpus: text("<file>", "your own articles and norms as well"),
    },
    action({ json, corpus }, query: string) {
      const knowledge = addItems(loadKnowledge(), corpus === undefined ? [] : readCorpus(io, corpus));
      const found = searchSources(query, knowledge);
      if (found.length === 0) throw new ParleyError("bad_input", `nothing in this knowledge base matches "${query}"`);
      if (json) return io.jsonLines(found);
      const isEnglish = detectLanguage(query) === "en";
      io.out(`${found.map((item) => describeSource(item, isEnglish)).join("\n\n")}\n`);
    },
  });
}

const mostHits = 10;

function searchSources(query: string, knowledge: Knowledge): Evidence[] {
  const exact = knowledge.find(query);
  if (exact) return [exact];
  const cited = findCitedProvisions(query, knowledge);
  const unknown = cited.filter(({ known }) => !known).map(({ text: name }) => name);
  // An id or alias as printed by this command is a name, not search words.
  const isReference = /^(?:(?:NAT|ADT|OWN)-\S+|[\p{L}\d.-]+:\S+)$/iu.test(query.trim());
  const missing = unknown.length === 0 && isReference ? [query.trim()] : unknown;
  if (missing.length > 0)
    throw new ParleyError("bad_input", `${missing.join(", ")}: not in this knowledge base (it may still exist)`);
  const named = cited.flatMap(({ id }) => (id === null ? [] : (knowledge.find(id) ?? [])));
  const found = search(knowledge, query, readFrame(query)).map(({ evidence }) => evidence);
  return [...new Set([...named, ...found])].slice(0, mostHits);
}

function describeSource(item: Evidence, isEnglish: boolean): string {
  const [title, statement, scope] = isEnglish
    ? [item.title_en, item.statement_en, item.scope_en]
    : [item.title, item.statement, item.scope];
  const about = [item.kind, item.regime, item.community, item.confidence].filter(Boolean).join(", ");
  const aliases = item.aliases.filter((alias) => !alias.endsWith(")")).join(", ");
  const lines = [
    statement,
    scope,
    `${isEnglish ? "source" : "sumber"}: ${item.source ?? (isEnglish ? "no citable source" : "tanpa sumber yang dapat dirujuk")}`,
  ];
  if (aliases !== "") lines.push(`${isEnglish ? "also" : "alias"}: ${aliases}`);
  return [`${item.id}  ${title}  (${about})`, ...lines.filter((line) => line !== null).map((line) => `  ${line}`)].join(
    "\n",
  );
}

function readCorpus(io: Io, given: string): Evidence[] {
  return parseCorpus(readNamedFile(io, given), basename(given, extname(given)));
}

type Decided = { id: string | null } & ReturnType<typeof decide>;

function decideCommand(io: Io): Command {
  return defineCommand({
    name: "decide",
    arguments: {
      "<path>":
        "a folder of artifacts (debate_round1_nla.json, …), a JSON file { query, files }, or a folder of such folders or files",
    },
    options: { json: flag("print the decision as JSON; of several debates, a list") },
    action({ json }, path: string) {
      const { debates, isList, others } = readRecordedFiles(io, path);
      if (others.length > 0) io.err(`skipped, not a recorded debate: ${others.join(", ")}\n`);
      const all = debates.map(({ where, value }): Decided => {
        const recorded = readRecorded(value, where);
        return { id: recorded.id, ...decide(recorded) };
      });
      if (all.some(({ outcome }) => outcome === "escalated")) io.exit.code = 3;
      if (json) io.json(isList ? all : all[0]);
      else io.out(isList ? describeAll(all) : describeDecided(all[0] as Decided, io));
    },
  });
}

function describeDecided({ outcome, reasons, decision }: Decided, io: Io): string {
  const given = { input: { query: decision.query }, material: null, config: law.config.parse({}), turns: [] };
  const shown = law.sections({ ...given, result: { outcome, reasons, decision } } as never);
  return renderTerminal(
    shown.filter(({ detail }) => !detail),
    io,
  );
}

function describeAll(all: Decided[]): string {
  const rows = all.map(({ id, outcome, decision: { position, query, summary } }) => {
    const faults = Map.groupBy(summary?.faults ?? [], ({ code }) => code);
    const found = [...faults].map(([code, same]) => (same.length > 1 ? `${code} × ${same.length}` : code)).join(", ");
    return [id ?? query.slice(0, 40), position, outcome, found || "–"];
  });
  return `${formatTable([["debate", "position", "outcome", "faults"], ...rows]).join("\n")}\n`;
}

type RecordedFile = { where: string; value: Record<string, unknown> };

const isArtifact = (name: string): boolean => /^(?:debate_|critique_|supervisor).*\.json$/.test(name);

/** Reads one debate from a file or folder of artifacts, or every debate of a folder (`isList`); other JSON files are listed. */
function readRecordedFiles(io: Io, given: string): { debates: RecordedFile[]; isList: boolean; others: string[] } {
  const isFolder = (path: string): boolean =>
    statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  const listNames = (folder: string): string[] =>
    readdirSync(resolve(io.cwd, folder)).toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const readJson = (path: string): unknown => parseGivenJson(readNamedFile(io, path), path);
  const read = (path: string): RecordedFile => {
    const artifacts = isFolder(path) ? listNames(path).filter(isArtifact) : null;
    const files = artifacts?.map((name) => [name, readJson(join(path, name))] as const);
    const value = files ? { files: Object.fromEntries(files) } : readJson(path);
    return { where: path, value: { id: basename(path, extname(path)), ...(isRecord(value) ? value : {}) } };
  };
  const names = isFolder(given) ? listNames(given) : [];
  const isList = isFolder(given) && !names.some(isArtifact);
  const inside = names.map((name) => join(given, name)).filter((path) => extname(path) === ".json" || isFolder(path));
  const found = (isList ? inside : [given]).map((path) => {
    try {
      return read(path);
    } catch (error) {
      if (!isList) throw error;
      return { where: path, value: {} };
    }
  });
  const debates = found.filter(
    ({ value: { files } }: RecordedFile) => isRecord(files) && Object.keys(files).some(isArtifact),
  );
  const others = found.filter((one) => !debates.includes(one)).map(({ where }) => where);
  if (debates.length > 0) return { debates, isList, others };
  throw new ParleyError(
    "bad_input",
    `${given}: no recorded debate found; a debate is a folder with debate_round1_nla.json, … or a JSON file { query, files }`,
  );
}
