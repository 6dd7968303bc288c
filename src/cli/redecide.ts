import { Command } from "commander";
import { resolve } from "node:path";
import { ParleyError, hasCode } from "../contract/error.ts";
import type { Run } from "../contract/run.ts";
import type { AnyPack } from "../engine/pack.ts";
import { loadPackOf, requirePackName } from "../packs/registry.ts";
import { requireThreshold } from "../runs/certificate.ts";
import { readRun, type StoredRun } from "../runs/read-run.ts";
import { finishedOf, headlineOf, subjectOf } from "../runs/show-run.ts";
import { type Flip, formatRuleChanges, isFlip, redecide, type Redecided } from "../runs/redecide.ts";
import { explainNoChange, explainUntried, findWhatWouldChange, formatLever } from "../runs/what-would-change.ts";
import type { Store } from "../store/store.ts";
import { jsonCopy } from "../text/json-copy.ts";
import { diffJson, formatDifference } from "../text/json-diff.ts";
import { cutText } from "../text/short-text.ts";
import { exitCodeOf } from "./exit-code.ts";
import { type Io, pauseBetweenSteps, sayDamaged } from "./io.ts";
import {
  type PromiseOptions,
  collect,
  parseBudget,
  rareOption,
  withPromiseOptions,
  withStoreOption,
} from "./options.ts";
import { type CheckOptions, checkRecordings } from "./redecide-check.ts";
import { writeArtifacts } from "./run-case.ts";
import { findCertificate, readCertified } from "./settings.ts";
import { chooseRun, findStoreFolder, withStore } from "./stores.ts";

export type RedecideOptions = {
  store?: string;
  set: string[];
  json?: boolean;
  pack?: string;
  out?: string;
  last?: boolean;
  prepare?: boolean;
  config?: string;
} & PromiseOptions &
  CheckOptions;

/** `parley redecide RUN|FOLDER`, `parley redecide --check RECORDINGS` */
export function command(io: Io): Command {
  return withPromiseOptions(
    withStoreOption(
      new Command("redecide").description(
        "Runs the rules again over recorded turns, with changed settings. No call is made.",
      ),
    ),
  )
    .argument("[run]", "a run, or a store folder to redecide every run in it")
    .option("--last", "the run that was made last")
    .option("--set <key=value>", "change one setting of the pack; can be repeated", collect, [])
    .option("--prepare", "prepare the material anew with today's readers, and say what is different in it")
    .option(
      "--check <recordings>",
      "replay a store folder, a folder of proofs or one proof: which decisions flip today?",
    )
    .addOption(
      rareOption("--calls <when>", "with --check: may models be asked again where a request changed?")
        .choices(["never", "allow"])
        .default("never"),
    )
    .addOption(
      rareOption("--budget <limits>", "with --calls allow: limits of each replay, e.g. usd=0.10").argParser(
        parseBudget,
      ),
    )
    .addOption(rareOption("--junit <file>", "with --check: write JUnit XML here"))
    .addOption(rareOption("--config <file>", "with --calls allow: configuration file with endpoints and prices"))
    .option("--pack <name>", "over a folder: only this pack's runs; a file is a pack of your own to know")
    .option("--out <folder>", "write the artifacts of the new decision here")
    .option("--json", "print the changes as JSON; over a folder as JSON Lines")
    .addHelpText("after", examples)
    .action(async (target: string | undefined, options: RedecideOptions) => {
      if (options.check !== undefined) return checkRecordings(io, options.check, options);
      const folder = target === undefined ? null : findStoreFolder(io, target);
      if (folder === null)
        return withStore(io, options, async (store) =>
          redecideOne(io, store, await chooseRun(store, target, options.last), options),
        );
      if (options.maxWrong !== undefined && options.certificate === undefined && options.pack === undefined)
        throw new ParleyError("bad_input", "over a folder, --max-wrong needs --pack or --certificate");
      const certificate = findCertificate(io, options, options.pack ?? "");
      if (certificate !== null) {
        options.pack ??= certificate.pack;
        options.set.push(`act_above=${requireThreshold(certificate, options.pack)}`);
      }
      await withStore(io, { store: folder }, (store) => redecideStore(io, store, options));
    });
}

async function redecideOne(io: Io, store: Store, id: string, options: RedecideOptions): Promise<void> {
  const recorded = await readRun(store, id);
  const pack = await loadPackOf(recorded.run.manifest);
  const stored = options.prepare ? await prepareAnew(io, pack, recorded, options.json) : recorded;
  const { act_above } = readCertified(io, options, pack.name);
  if (act_above !== undefined) options.set.push(`act_above=${act_above}`);
  const done = await redecide(pack, stored, options.set);
  const { finished, ...changes } = done;
  if (options.set.length === 0 && options.out === undefined && !options.prepare)
    return showLevers(io, pack, stored, options);
  if (options.json) io.out(`${JSON.stringify({ run: stored.run.id, ...changes, result: finished.result }, null, 2)}\n`);
  else io.out(redecideText(stored.run.id, done));
  if (options.out !== undefined) writeArtifacts(pack, finished, resolve(io.cwd, options.out));
  io.exit.code = exitCodeOf(finished.result.outcome);
}

/** The run with material that the pack's readers of today make of its case; what is different in it is said. */
async function prepareAnew(io: Io, pack: AnyPack, stored: StoredRun, json = false): Promise<StoredRun> {
  const { input, config } = stored.run.manifest;
  const material = jsonCopy(await pack.prepare(pack.input.parse(input), pack.config.parse(config), { embed: null }));
  const differences = diffJson(stored.material, material);
  const shown = differences.slice(0, shownValues).map((one) => `  ${formatDifference(one)}`);
  const more = differences.length > shownValues ? [`  … and ${differences.length - shownValues} more values`] : [];
  const lines =
    differences.length === 0 ? ["the material is prepared as it was"] : ["prepared otherwise today", ...shown, ...more];
  (json ? io.err : io.out)(`${lines.join("\n")}\n\n`);
  return { ...stored, material };
}

/** Without a setting: which single one would make a reader act otherwise. */
async function showLevers(io: Io, pack: AnyPack, stored: StoredRun, options: RedecideOptions): Promise<void> {
  const change = await findWhatWouldChange(pack, stored);
  const { id } = stored.run;
  if (options.json) return io.out(`${JSON.stringify({ run: id, ...change }, null, 2)}\n`);
  const now = Object.entries(headlineOf(pack, finishedOf(stored))).map(([name, text]) => `${name}: ${text}`);
  const lines = change.levers.flatMap((lever) => [
    `  ${formatLever(lever)}`,
    ...lever.flips.map(({ name, before, after }) => `    ${name}: ${before} → ${after}`),
  ]);
  const rest = change.untried.length > 0 ? [`  ${explainUntried(change)}`] : [];
  const body = lines.length > 0 ? [...lines, ...rest] : [`  ${explainNoChange(change)}`];
  const head = `run ${id}, no setting given: each was tried alone over the recorded turns, without a call`;
  io.out(`${[head, "", ...now, "", "what would change it", ...body].join("\n")}\n`);
}

const examples = `
Examples:
  parley redecide 2b9x1k                                    which single setting would change it
  parley redecide 2b9x1k --set debate_override.min_total=1.0
  parley redecide .parley --pack sentiment --set debate_override.profile=t1     what flips, over all runs
  parley redecide 2b9x1k --prepare                          with what today's readers make of its case
  parley redecide --check recordings/ --junit ci.xml        in a pipeline: do today's rules decide as recorded?
  parley redecide --check recordings/ --calls allow --budget usd=0.50    pay for turns that are asked something else now

Recordings are proofs (\`parley export RUN --proof FILE\`) or stores.
Exit codes: as the new outcome's; 1 when a turn would be needed that was never recorded, 2 for a setting that is wrong;
of --check 1 when a decision flipped or a run could not be replayed.`;

const shownValues = 15;

/** A redecision in words: what a reader acts on first, then why, rule by rule, then the rest. */
export function redecideText(id: string, { config, outcome, headline, decision, rules, settled }: Redecided): string {
  const lines = [`run ${id}, redecided without a call`, ""];
  if (settled) lines.push("A person settled this run; compared is what its rules had said before that.", "");
  lines.push(...formatFlips([{ name: "outcome", ...outcome }, ...headline]));
  lines.push("", "settings", ...listOrNone(config.map(formatDifference), "as they were"));
  lines.push("", "rules that decided otherwise", ...listOrNone(formatRuleChanges(rules), "none"));
  const shown = decision.slice(0, shownValues).map(formatDifference);
  const more = decision.length - shown.length;
  if (more > 0) shown.push(`… and ${more} more values; --json shows all`);
  lines.push("", "what changed in the decision", ...listOrNone(shown, "nothing"));
  return `${lines.join("\n")}\n`;
}

/** Lines of a headline side by side. */
export function formatFlips(flips: readonly Flip[]): string[] {
  const width = Math.max(...flips.map(({ name }) => name.length));
  return flips.map(({ name, before, after }) => {
    const text = before === after ? `${after} (as before)` : `${before} → ${after}`;
    return `${name.padEnd(width)}  ${text}`;
  });
}

function listOrNone(lines: string[], none: string): string[] {
  return (lines.length > 0 ? lines : [none]).map((line) => `  ${line}`);
}

/** One run of a folder: what flipped and by which rules, or why it could not be redecided. */
type Row = {
  run: string;
  case: string;
  pack: string;
  flips: Flip[];
  /** How many values of the decision changed, flips and all. */
  changed: number;
  rules: string[];
  needs: string | null;
  error: string | null;
  /** True when the error is only that this pack has no such setting. */
  foreign: boolean;
};

/** Redecides every ended run of a store and says what flips. */
export async function redecideStore(io: Io, store: Store, options: RedecideStoreOptions): Promise<void> {
  if (options.out !== undefined)
    throw new ParleyError("bad_input", "--out is for one run; over a folder use --json > FILE");
  const pack = options.pack === undefined ? undefined : requirePackName(options.pack);
  const runs = (await store.list({ pack, status: "finished" }, sayDamaged(io))).toReversed();
  const rows: Row[] = [];
  for (const run of runs) {
    await pauseBetweenSteps(io);
    rows.push(await redecideRun(store, run, options.set));
  }
  if (rows.length > 0 && rows.every((row) => row.error !== null))
    throw new ParleyError("bad_config", [...new Set(rows.map((row) => row.error))].join("\n"));
  if (options.json) for (const row of rows) io.out(`${JSON.stringify(row)}\n`);
  else io.out(writeTable(rows, io.width));
  if (rows.some((row) => row.needs !== null || (row.error !== null && !row.foreign))) io.exit.code = 1;
}

export type RedecideStoreOptions = { set: string[]; pack?: string; out?: string; json?: boolean };

async function redecideRun(store: Store, run: Run, settings: readonly string[]): Promise<Row> {
  const pack = await loadPackOf(run.manifest);
  const row = { run: run.id, case: run.caseId ?? subjectOf(pack, run), pack: pack.name };
  const none = { flips: [], changed: 0, rules: [], needs: null, error: null, foreign: false };
  try {
    const done = await redecide(pack, await readRun(store, run.id), settings);
    const all = [{ name: "outcome", ...done.outcome }, ...done.headline];
    const flips = isFlip(done) ? all.filter((line) => line.before !== line.after) : [];
    const rules = [...new Set(done.rules.map(({ rule }) => rule))];
    return { ...row, ...none, flips, changed: done.decision.length, rules };
  } catch (error) {
    if (hasCode(error, "not_recorded")) return { ...row, ...none, needs: String(error.details.turn) };
    if (error instanceof ParleyError)
      return { ...row, ...none, error: error.message, foreign: error.code === "bad_config" };
    throw error;
  }
}

function writeTable(rows: Row[], width: number): string {
  const flipped = rows.filter((row) => row.flips.length > 0);
  const needing = rows.filter((row) => row.needs !== null);
  const refused = rows.filter((row) => row.error !== null);
  const lines = flipped.flatMap((row) => [
    `${row.run}  ${cutText(row.case.replaceAll(/\s+/g, " "), width - row.run.length - 2)}`,
    ...row.flips.map(({ name, before, after }) => `  ${name}: ${before} → ${after}`),
    `  by ${row.rules.join(", ") || "no rule of its own: other turns count"}`,
  ]);
  const counts = countFlips(flipped);
  if (counts.length > 0) lines.push("", ...counts);
  if (needing.length > 0)
    lines.push("", "need a turn that was never recorded", ...needing.map((row) => `  ${row.run}  ${row.needs}`));
  for (const [error, group] of Map.groupBy(refused, (row) => row.error))
    lines.push("", `left out, ${group.length} ${group[0]?.pack} runs: ${error}`);
  const otherwise = rows.filter((row) => row.flips.length === 0 && row.changed > 0).length;
  const parts = [
    `${flipped.length} of ${rows.length} runs flip`,
    ...(otherwise > 0 ? [`${otherwise} change in reasons or numbers only`] : []),
    ...(needing.length > 0 ? [`${needing.length} need a new turn`] : []),
    ...(refused.length > 0 ? [`${refused.length} left out`] : []),
  ];
  return `${[...lines, ...(lines.length > 0 ? [""] : []), parts.join(" · ")].join("\n").trimStart()}\n`;
}

/** Which flips are how frequent. */
function countFlips(rows: Row[]): string[] {
  const texts = rows.flatMap((row) => row.flips.map(({ name, before, after }) => `${name}: ${before} → ${after}`));
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, same]) => ({ text, count: same.length }));
  const frequent = counts.filter(({ count }) => count > 1).toSorted((a, b) => b.count - a.count);
  return frequent.slice(0, 10).map(({ text, count }) => `${String(count).padStart(5)} ×  ${text}`);
}
