import { Command, Option } from "commander";
import { ParleyError } from "../contract/error.ts";
import { type Outcome, OutcomeSchema } from "../contract/result.ts";
import { type Run, type RunStatus, RunStatusSchema } from "../contract/run.ts";
import { describeSubject } from "../engine/define-pack.ts";
import { loadPackOf, listPackNames, requirePackName } from "../packs/registry.ts";
import { findRun, readRun } from "../runs/read-run.ts";
import { subjectOf } from "../runs/show-run.ts";
import { formatRuleChanges } from "../runs/redecide.ts";
import { diffRuns, isSame, type RunDiff, type TurnChange } from "../runs/diff-runs.ts";
import type { Store } from "../store/store.ts";
import type { Upkeep, Wanted } from "../store/sql-upkeep.ts";
import { formatDifference } from "../text/json.ts";
import { cutText, formatCount } from "../text/format.ts";
import { type Io, sayDamaged } from "./io.ts";
import { parseCount, parseDuration, withRunsOptions, withStoreOption } from "./options.ts";
import { formatFlips } from "./redecide.ts";
import { loadUserConfig } from "./settings.ts";
import { openExistingStore, openUpkeep, withStore } from "./stores.ts";

type Options = {
  store?: string;
  pack?: string;
  status?: RunStatus;
  outcome?: Outcome;
  text?: string;
  since?: string;
  limit: number;
  json?: boolean;
};

/** `parley runs`, and `runs diff`, `runs rm`, `runs erase` */
export function command(io: Io): Command {
  return withStoreOption(new Command("runs").description("Lists runs, newest first; diff, rm and erase work on them."))
    .option("--pack <name>", "only this pack's; one of your own by its name or its file")
    .addOption(new Option("--status <status>", "only in this state").choices(RunStatusSchema.options))
    .addOption(new Option("--outcome <outcome>", "only with this end").choices(OutcomeSchema.options))
    .option("--text <words>", "only where all words are found: in the case, in one reply or in the decision")
    .option("--since <time>", "only newer than this: 90m, 12h, 2d, or a date", parseSince)
    .option("--limit <number>", "how many", parseCount, 20)
    .option("--json", "as JSON Lines")
    .addCommand(createDiffCommand(io))
    .addCommand(createRemoveCommand(io))
    .addCommand(createEraseCommand(io))
    .addHelpText("after", examples)
    .action(async (options: Options) => {
      const pack = options.pack === undefined ? undefined : requirePackName(options.pack);
      const store = await openExistingStore(io, options, loadUserConfig(io, {}));
      try {
        const runs = await findRuns(io, store, { ...options, pack });
        if (options.json) for (const run of runs) io.out(`${JSON.stringify(run)}\n`);
        else if (runs.length === 0) io.out(`no runs in ${store.location}\n`);
        else io.out(`${(await Promise.all(runs.map(writeRow))).join("\n")}\n`);
      } finally {
        await store.close();
      }
    });
}

async function findRuns(io: Io, store: Store, { pack, status, outcome, text, since, limit }: Options): Promise<Run[]> {
  if ([status, outcome, text, since].every((one) => one === undefined))
    return store.list({ pack, limit }, sayDamaged(io));
  const { runs, damaged } = await store.page({ pack, status, outcome, text, from: since, limit });
  for (const { id, error } of damaged) sayDamaged(io)(id, error);
  return runs;
}

/** A date or time as it is, or the moment that an age reaches back to. */
function parseSince(text: string): string {
  const written = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+Z?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(written)) return new Date(written).toISOString();
  return new Date(Date.now() - parseDuration(text)).toISOString();
}

async function writeRow(run: Run): Promise<string> {
  const when = run.createdAt.slice(0, 16).replace("T", " ");
  const state = run.outcome ?? (run.status === "running" ? "unfinished" : run.status);
  const { pack, cast } = run.manifest;
  return [run.id, when, pack.padEnd(10), state.padEnd(16), cast, await writeSubject(run)].join("  ").trimEnd();
}

/** What the run was about; of a pack that is not known here, the first words of its case. */
async function writeSubject(run: Run): Promise<string> {
  if (!listPackNames().includes(run.manifest.pack))
    return cutText(describeSubject(run.manifest.input).replaceAll(/\s+/g, " ").trim(), 60);
  return cutText(subjectOf(await loadPackOf(run.manifest), run), 60);
}

const examples = `
Examples:
  parley runs --pack sentiment --limit 100
  parley runs --outcome escalated --since 2d
  parley runs --text "connection pool" --outcome decided
  parley runs diff 2b9x1k 2b9x4t
  parley runs rm --older-than 90d`;

/** `parley runs diff RUN RUN` */
function createDiffCommand(io: Io): Command {
  return withRunsOptions(
    new Command("diff").description(
      "Compares two runs: where they first differ, then turn by turn, rule by rule, and their ends.",
    ),
  )
    .argument("<run>", "the one")
    .argument("<other>", "the other")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  parley runs diff 2b9x1k 2b9x4t")
    .action(async (first: string, second: string, options: { store?: string; json?: boolean }) =>
      withStore(io, options, async (store) => {
        const [one, other] = [await readRun(store, first), await readRun(store, second)];
        const diff = await diffRuns(store, await loadPackOf(one.run.manifest), one, other);
        io.out(options.json ? `${JSON.stringify(diff, null, 2)}\n` : describeDiff(diff));
      }),
    );
}

function describeDiff(diff: RunDiff): string {
  if (isSame(diff)) return "no difference, times and ids aside\n";
  const lines = [`first difference: ${describeFirst(diff)}`];
  if (diff.headline.length > 0) lines.push("", ...formatFlips(diff.headline));
  if (diff.start.length > 0)
    lines.push("", "started with", ...diff.start.slice(0, 20).map((one) => `  ${formatDifference(one)}`));
  if (diff.turns.length > 0) lines.push("", "turns", ...diff.turns.flatMap(describeTurn));
  if (diff.rules.length > 0) lines.push("", "rules", ...formatRuleChanges(diff.rules).map((line) => `  ${line}`));
  if (diff.end.length > 0) lines.push("", "end", ...diff.end.slice(0, 20).map((one) => `  ${formatDifference(one)}`));
  if (diff.end.length > 20) lines.push(`  … and ${diff.end.length - 20} more values; --json shows all`);
  return `${lines.join("\n")}\n`;
}

function describeFirst({ start, turns, rules, end }: RunDiff): string {
  const [turn] = turns;
  if (turn) return `turn ${turn.turn} (${turn.change.replaceAll("_", " ")})`;
  const [value] = start.length > 0 ? start : end;
  const [rule] = rules;
  if (rule) return `rule ${rule.rule}${rule.about === "" ? "" : ` (${rule.about})`}`;
  return value ? formatDifference(value) : "";
}

function describeTurn({ turn, change, prompt, reply }: TurnChange): string[] {
  const head = `  ${turn}: ${change.replaceAll("_", " ")}`;
  const parts = prompt === null ? [] : prompt.split("\n").map((line) => `    ${line}`);
  return [head, ...parts, ...reply.slice(0, 8).map((one) => `    ${formatDifference(one)}`)];
}

type RemoveOptions = { store?: string; olderThan?: number; yes?: boolean };

/** `parley runs rm RUN… | --older-than 30d` */
function createRemoveCommand(io: Io): Command {
  return withStoreOption(
    new Command("rm").description("Removes runs and frees their space; data shared with other runs stays."),
  )
    .argument("[runs...]", "run ids, or their first characters")
    .option("--older-than <time>", "every finished run older than this, e.g. 30d, 12h", parseAge)
    .option("--yes", "remove the runs that --older-than finds; without it, they are only counted")
    .addHelpText(
      "after",
      "\nExamples:\n  parley runs rm 2b9x1k\n  parley runs rm --older-than 90d            says how many that would be\n  parley runs rm --older-than 90d --yes",
    )
    .action(async (runs: string[], options: RemoveOptions) => {
      if ((runs.length === 0) === (options.olderThan === undefined))
        throw new ParleyError("bad_input", "name runs, or give --older-than");
      const ids = options.olderThan === undefined ? await findNamed(io, options, runs) : await findOld(io, options);
      if (ids.length === 0) return io.out("nothing to remove\n");
      if (options.olderThan !== undefined && !options.yes)
        return io.out(`${formatCount(ids.length, "run")} would be removed; --yes removes them\n`);
      const upkeep = await openUpkeep(io, options);
      const { left } = await upkeep.remove(ids).finally(upkeep.close);
      io.out(`${formatCount(ids.length, "run")} removed\n`);
      if (left !== null) io.err(`${left}\n`);
    });
}

function parseAge(text: string): number {
  const [, amount, unit] = /^(\d{1,6})(h|d|w)$/.exec(text) ?? [];
  const hours = { h: 1, d: 24, w: 168 }[unit ?? ""];
  if (amount === undefined || hours === undefined)
    throw new ParleyError("bad_input", `--older-than ${text}: give hours, days or weeks, e.g. 12h, 30d, 8w`);
  return Number(amount) * hours * 3_600_000;
}

async function findNamed(io: Io, options: RemoveOptions, names: string[]): Promise<string[]> {
  const ids: string[] = [];
  await withStore(io, options, async (store) => {
    for (const name of names) ids.push((await findRun(store, name)).id);
  });
  return [...new Set(ids)];
}

async function findOld(io: Io, options: RemoveOptions): Promise<string[]> {
  const before = new Date(Date.now() - (options.olderThan ?? 0)).toISOString();
  const ids: string[] = [];
  await withStore(io, options, async (store) => {
    const runs = await store.list({}, (id, error) => io.err(`parley: ${id}: ${error.message}\n`));
    const old = runs.filter(({ createdAt }) => createdAt < before);
    const finished = old.filter(({ status }) => status === "finished");
    ids.push(...finished.map(({ id }) => id));
    const open = old.length - finished.length;
    if (open > 0) io.err(`${formatCount(open, "run")} of that age not finished: kept; name them to remove them\n`);
  });
  return ids;
}

type EraseOptions = { store?: string; case?: string; text?: string; yes?: boolean };

/** A text that is shorter than this stands in runs that have nothing to do with each other. */
const shortestText = 3;

/** `parley runs erase --case ID | --text TEXT` */
function createEraseCommand(io: Io): Command {
  return withStoreOption(
    new Command("erase").description(
      "Erases the case and all replies of runs; their hashes stay, so the rest of the store can still be verified.",
    ),
  )
    .option("--case <id>", "the runs of this case")
    .option("--text <text>", "the runs in which this text stands: in the case, a prompt, a reply or the decision")
    .option("--yes", "erase; without it, the runs are only listed")
    .addHelpText(
      "after",
      '\nExamples:\n  parley runs erase --case patient-7\n  parley runs erase --text "Ida Holm" --yes\n\nBackups, exports and files that were written elsewhere are not touched.',
    )
    .action(async (options: EraseOptions) => {
      const wanted = readWanted(options);
      const upkeep = await openUpkeep(io, options);
      await erase(io, upkeep, wanted, options.yes === true).finally(upkeep.close);
    });
}

async function erase(io: Io, upkeep: Upkeep, wanted: Wanted, isMeant: boolean): Promise<void> {
  const ids = await upkeep.find(wanted);
  const count = formatCount(ids.length, "run");
  if (ids.length === 0) return io.out("no run holds that\n");
  if (!isMeant) return io.out(`${ids.join("\n")}\n${count} would be erased; --yes erases them for good\n`);
  const { left } = await upkeep.erase(ids, new Date().toISOString().slice(0, 10));
  io.out(`${count} erased; backups and exports, if you made any, still hold them\n`);
  if (left !== null) io.err(`${left}\n`);
}

function readWanted(options: EraseOptions): Wanted {
  if ((options.case === undefined) === (options.text === undefined))
    throw new ParleyError("bad_input", "give --case or --text");
  if (options.case !== undefined) return { caseId: options.case };
  const text = options.text ?? "";
  if (text.trim().length < shortestText)
    throw new ParleyError(
      "bad_input",
      `--text needs at least ${shortestText} characters, or it would match almost everything`,
    );
  return { text };
}
