import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { differenceText } from "../../contract/json-diff.ts";
import { loadPack } from "../../packs/registry.ts";
import { readRun } from "../../runs/read-run.ts";
import { type Redecided, redecide, ruleChangeText } from "../../runs/redecide.ts";
import { sqliteStore } from "../../store/sqlite-store.ts";
import type { Store } from "../../store/store.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { collect, withStoreOption } from "../options.ts";
import { writeArtifacts } from "../print-result.ts";
import { withStore } from "../with-store.ts";

type Options = { store?: string; set: string[]; json?: boolean; pack?: string; out?: string };

/** `parley redecide RUN|FOLDER` */
export function command(io: Io): Command {
  return withStoreOption(
    new Command("redecide").description(
      "Runs the rules again over recorded turns, with changed settings. No call is made.",
    ),
  )
    .argument("<run>", "a run, or a store folder to redecide every run in it")
    .option("--set <key=value>", "change one setting of the pack; can be repeated", collect, [])
    .option("--pack <name>", "over a folder: only this pack's runs")
    .option("--out <folder>", "write the artifacts of the new decision here")
    .option("--json", "print the changes as JSON")
    .addHelpText("after", examples)
    .action(async (target: string, options: Options) => {
      if (isStore(io, target)) return redecideAll(io, resolve(io.cwd, target, "parley.db"), options);
      await withStore(io, options, (store) => redecideOne(io, store, target, options));
    });
}

function isStore(io: Io, target: string): boolean {
  const folder = resolve(io.cwd, target);
  return existsSync(folder) && statSync(folder).isDirectory() && existsSync(join(folder, "parley.db"));
}

async function redecideOne(io: Io, store: Store, id: string, options: Options): Promise<void> {
  const stored = await readRun(store, id);
  const pack = await loadPack(stored.run.manifest.pack);
  const done = await redecide(pack, stored, options.set);
  const { finished, ...changes } = done;
  if (options.json) io.out(`${JSON.stringify({ run: stored.run.id, ...changes, result: finished.result }, null, 2)}\n`);
  else io.out(changesText(stored.run.id, done));
  if (options.out !== undefined) writeArtifacts(pack, finished, resolve(io.cwd, options.out));
  io.exit.code = exitCodeOf(finished.result.outcome);
}

function changesText(id: string, { config, outcome, decision, rules }: Redecided): string {
  const lines = [
    `run ${id}, redecided without a call`,
    "",
    "settings",
    ...orNone(config.map(differenceText), "  as they were"),
  ];
  lines.push(
    "",
    `outcome  ${outcome.before}${outcome.before === outcome.after ? " (as before)" : ` → ${outcome.after}`}`,
  );
  lines.push("", "rules that decided otherwise", ...orNone(rules.map(ruleChangeText), "  none"));
  lines.push("", "what changed in the decision", ...orNone(decision.slice(0, 40).map(differenceText), "  nothing"));
  if (decision.length > 40) lines.push(`  … and ${decision.length - 40} more (--json shows all)`);
  return `${lines.join("\n")}\n`;
}

function orNone(lines: string[], none: string): string[] {
  return lines.length > 0 ? lines.map((line) => `  ${line}`) : [none];
}

type Row = { run: string; case: string; outcome: string; changed: number; rules: string; error: string | null };

async function redecideAll(io: Io, file: string, options: Options): Promise<void> {
  const store = sqliteStore(file);
  try {
    const runs = (await store.list({ pack: options.pack, status: "finished" })).toReversed();
    const rows: Row[] = [];
    for (const run of runs) rows.push(await rowOf(store, run.id, options));
    if (options.json) for (const row of rows) io.out(`${JSON.stringify(row)}\n`);
    else io.out(table(rows));
    if (rows.some((row) => row.error !== null)) io.exit.code = 1;
  } finally {
    await store.close();
  }
}

async function rowOf(store: Store, id: string, options: Options): Promise<Row> {
  const stored = await readRun(store, id);
  const name = stored.run.caseId ?? "";
  try {
    const { outcome, decision, rules } = await redecide(await loadPack(stored.run.manifest.pack), stored, options.set);
    const change = outcome.before === outcome.after ? outcome.after : `${outcome.before} → ${outcome.after}`;
    return {
      run: id,
      case: name,
      outcome: change,
      changed: decision.length,
      rules: [...new Set(rules.map((one) => one.rule))].join(", "),
      error: null,
    };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { run: id, case: name, outcome: "?", changed: 0, rules: "", error: error.message };
  }
}

function table(rows: Row[]): string {
  const flipped = rows.filter((row) => row.changed > 0 || row.outcome.includes("→") || row.error !== null);
  const lines = flipped.map(
    (row) =>
      `${row.run}  ${row.case.padEnd(16)}  ${row.error ?? `${row.outcome}, ${row.changed} values changed${row.rules ? ` by ${row.rules}` : ""}`}`,
  );
  return `${[...lines, `${flipped.length} of ${rows.length} runs change`].join("\n")}\n`;
}

const examples = `
Examples:
  parley redecide 2b9x1k --set debate_override.min_total=1.0
  parley redecide .parley --pack sentiment --set debate_override.profile=t1`;
