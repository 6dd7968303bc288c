import { Command } from "commander";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { decide, law, readRecorded } from "../packs/law/index.ts";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import { isRecord } from "../text/json.ts";
import { formatTable } from "../text/layout.ts";
import type { Io } from "./io.ts";

type Options = { query?: string; json?: boolean };
type Decided = { id: string | null } & ReturnType<typeof decide>;

/** `parley law decide FOLDER|FILE` */
export function createDecideCommand(io: Io): Command {
  return new Command("decide")
    .description("Applies the rules to recorded debates without calling a model: checks, critiques, end and position.")
    .argument(
      "<path>",
      "a folder of artifacts (debate_round1_nla.json, …), a JSON file { query, files }, or a folder of such folders or files",
    )
    .option("--query <question>", "the question, where the artifacts do not name it")
    .option("--json", "print the decision as JSON; of several debates, a list")
    .action((path: string, { query, json }: Options) => {
      const { debates, isList, others } = readRecordedFiles(io.cwd, path);
      if (others.length > 0) io.err(`left alone, no recorded debate: ${others.join(", ")}\n`);
      const all = debates.map(({ where, value }): Decided => {
        const recorded = readRecorded(query === undefined ? value : { ...value, query }, where);
        return { id: recorded.id, ...decide(recorded) };
      });
      if (all.some(({ outcome }) => outcome === "escalated")) io.exit.code = 3;
      if (json) return io.out(`${JSON.stringify(isList ? all : all[0], null, 2)}\n`);
      io.out(isList ? tellAll(all) : tellOne(all[0] as Decided, io));
    });
}

function tellOne({ outcome, reasons, decision }: Decided, io: Io): string {
  const given = { input: { query: decision.query }, material: null, config: law.config.parse({}), turns: [] };
  const shown = law.sections({ ...given, result: { outcome, reasons, decision } } as never);
  return renderTerminal(
    shown.filter(({ detail }) => !detail),
    io,
  );
}

/** A line for each debate: its position, how it ended, and what the rules found wrong with it. */
function tellAll(all: Decided[]): string {
  const rows = all.map(({ id, outcome, decision: { position, query, summary } }) => {
    const faults = Map.groupBy(summary?.faults ?? [], ({ code }) => code);
    const found = [...faults].map(([code, of]) => (of.length > 1 ? `${code} × ${of.length}` : code)).join(", ");
    return [id ?? query.slice(0, 40), position, outcome, found || "–"];
  });
  return `${formatTable([["debate", "position", "outcome", "faults"], ...rows]).join("\n")}\n`;
}

/** The files of recorded debates, each with what it is called in errors; `isList` when a folder of debates was named. */
type Recorded = { debates: { where: string; value: Record<string, unknown> }[]; isList: boolean; others: string[] };

/** Reads a debate from a file or a folder of artifacts, or all debates of a folder. */
export function readRecordedFiles(cwd: string, given: string): Recorded {
  const path = resolve(cwd, given);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new ParleyError("bad_input", `${given}: there is no such file or folder`);
  if (!found.isDirectory())
    return { debates: [{ where: given, value: readFile(path, given) }], isList: false, others: [] };
  const names = readdirSync(path).toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const inside = names.map((name) => ({ name, path: join(path, name), where: join(given, name) }));
  const isDebate = names.some((name) => /^(?:debate_|critique_)/.test(name));
  if (isDebate) return { debates: [{ where: given, value: readFolder(path, given) }], isList: false, others: [] };
  const debates = inside.flatMap((one) => {
    if (statSync(one.path).isDirectory()) return [{ where: one.where, value: readFolder(one.path, one.where) }];
    return extname(one.name) === ".json" ? [{ where: one.where, value: readAny(one.path, one.where) }] : [];
  });
  const isDebateFile = ({ value }: { value: Record<string, unknown> }): boolean =>
    isRecord(value["files"]) && Object.keys(value["files"]).length > 0;
  const others = debates.filter((one) => !isDebateFile(one)).map(({ where }) => where);
  if (debates.some(isDebateFile)) return { debates: debates.filter(isDebateFile), isList: true, others };
  throw new ParleyError(
    "bad_input",
    `${given}: no recorded debate is here; a debate is a folder with debate_round1_nla.json, … or a JSON file { query, files }`,
  );
}

/** Reads a file of the folder; only JSON objects can be debates. */
function readAny(path: string, where: string): Record<string, unknown> {
  const value = parseJson(path, where);
  return isRecord(value) ? { id: basename(path, extname(path)), ...value } : {};
}

function readFile(path: string, where: string): Record<string, unknown> {
  const value = parseJson(path, where);
  if (!isRecord(value))
    throw new ParleyError("bad_input", `${where}: a recorded debate is a JSON object { query, files }`);
  return { id: basename(path, extname(path)), ...value };
}

function readFolder(path: string, where: string): Record<string, unknown> {
  const names = readdirSync(path).filter((name) => extname(name) === ".json");
  const files = names.map((name) => [name, parseJson(join(path, name), join(where, name))] as const);
  return { id: basename(path), files: Object.fromEntries(files) };
}

function parseJson(path: string, where: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new ParleyError("bad_input", `${where}: not readable as JSON`, { cause });
  }
}
