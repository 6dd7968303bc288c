import type { Command } from "commander";
import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import type { AnyPack } from "../engine/pack.ts";
import { loadPack, listPackNames } from "../packs/registry.ts";
import { countLines, readCaseRows } from "../runs/batch.ts";
import { takesText } from "../runs/show-run.ts";
import { defineCommand, flag, type Given, rare, text } from "./command.ts";
import { type Io, parseGivenJson, readNamedFile } from "./io.ts";
import { fileOptions, fleetOptions, promiseOptions, runOptions, runsOptions } from "./options.ts";
import { runCase } from "./run-case.ts";
import { type Batch, openResults, runFile } from "./run-file.ts";

const options = {
  input: text("<file>", "JSON Lines, one case per line; results go to --out in the same order"),
  prompts: flag("print each role's prompt and reply schema; no model is called"),
  batch: rare(text("<name>", "a name for these runs, to find, limit and cancel them together")),
  ...runOptions,
  pack: runsOptions.pack,
  ...fileOptions("cases"),
  ...promiseOptions,
  ...fleetOptions,
};
type Options = Given<typeof options>;

export function command(io: Io): Command {
  return defineCommand({
    name: "run",
    arguments: {
      "<pack>": `${listPackNames().join(", ")}, or the file of a pack of your own`,
      "[input]": "the case: JSON, a .json file, or plain text where the pack takes it",
    },
    options,
    async action(given, name: string, input: string | undefined) {
      const pack = await loadPack(name);
      const finder = await (Object.hasOwn(finders, name) ? finders[name] : undefined)?.();
      const set = [...(finder?.(io, given) ?? []), ...given.set];
      if (given.prompts) {
        const example = input === undefined ? pack.examples[0]?.input : readInput(io, pack, input);
        return (await import("./dry-run.ts")).printPrompts(io, pack, example, { ...given, set });
      }
      if (given.input !== undefined)
        await runFile(io, { ...given, set }, openCaseBatch(io, pack, given.input, given.out));
      else if (input !== undefined) await runCase(io, { ...given, set }, pack, readInput(io, pack, input));
      else
        throw new ParleyError(
          "bad_input",
          `give a case, or a file of cases with --input; e.g. parley run ${name} --input cases.jsonl --out results.jsonl`,
        );
    },
  });
}

/** Settings from the project's files, each as `key=value`; `--set` overrides them. */
const finders: Record<string, () => Promise<(io: Io, options: Options) => string[]>> = {
  sentiment: async () => (await import("./sentiment.ts")).chooseLayers,
};

function openCaseBatch(io: Io, pack: AnyPack, input: string, out: string | undefined): Batch {
  const file = resolve(io.cwd, input);
  return {
    pack,
    file,
    replaces: out === undefined ? null : resolve(io.cwd, out),
    rows: readCaseRows(file),
    noun: "case",
    total: () => countLines(file),
    open: () => openResults(io, out),
  };
}

function readInput(io: Io, pack: AnyPack, input: string): unknown {
  const file = resolve(io.cwd, input);
  const isJson = /^\s*[{["]/.test(input);
  const isFile = !isJson && existsSync(file);
  if (!isJson && !isFile && takesText(pack) && /\s/.test(input.trim())) return input;
  if (!isJson && !isFile) throw new ParleyError("bad_input", `${input}: neither JSON nor a file`);
  if (isFile && extname(file) === ".jsonl")
    throw new ParleyError("bad_input", `${input} holds a case per line; give it with --input ${input}`);
  return parseGivenJson(isJson ? input : readNamedFile(io, input), isJson ? "the case" : input);
}
