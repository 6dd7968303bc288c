import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { decide, law, readRecorded } from "../../packs/law/index.ts";
import { renderTerminal } from "../../print/terminal/render-terminal.ts";
import type { Io } from "../terminal/io.ts";

type Options = { query?: string; json?: boolean };

/** `parley law decide FOLDER|FILE` */
export function createDecideCommand(io: Io): Command {
  return new Command("decide")
    .description(
      "Decides a recorded debate by the rules alone, without a call: its checks, critiques, end and position.",
    )
    .argument("<path>", "a folder of artifacts (debate_round1_nla.json, …), or a JSON file { query, files }")
    .option("--query <question>", "the question, where the artifacts do not name it")
    .option("--json", "print the decision as JSON")
    .action((path: string, { query, json }: Options) => {
      const value = readPath(resolve(io.cwd, path), path);
      const recorded = readRecorded(query === undefined ? value : { ...value, query }, path);
      const { outcome, reasons, decision } = decide(recorded);
      if (outcome === "escalated") io.exit.code = 3;
      if (json) return io.out(`${JSON.stringify({ id: recorded.id, outcome, reasons, decision }, null, 2)}\n`);
      const sections = law.report?.({ result: { outcome, reasons, decision } } as never) ?? [];
      io.out(renderTerminal(sections, io));
    });
}

/** A folder's JSON files by name, or one file that holds them. */
function readPath(path: string, given: string): Record<string, unknown> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new ParleyError("bad_input", `${given}: there is no such file or folder`);
  if (!found.isDirectory()) {
    const value = parseJson(path, given);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new ParleyError("bad_input", `${given}: a recorded debate is a JSON object { query, files }`);
  }
  const names = readdirSync(path).filter((name) => extname(name) === ".json");
  return {
    id: basename(path),
    files: Object.fromEntries(names.map((name) => [name, parseJson(join(path, name), join(given, name))])),
  };
}

function parseJson(path: string, given: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new ParleyError("bad_input", `${given}: not readable as JSON`, { cause });
  }
}
