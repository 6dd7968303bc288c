import { type Command, InvalidArgumentError } from "commander";
import { ParleyError } from "../contract/error.ts";
import { OutcomeSchema } from "../contract/result.ts";
import type { Run } from "../contract/run.ts";
import { describeSubject } from "../engine/define-pack.ts";
import { loadPackOf, listPackNames, requirePackName } from "../packs/registry.ts";
import { buildDiffSections, diffRuns, isSame } from "../runs/compare-runs.ts";
import { findRun, readRun } from "../runs/read-run.ts";
import { subjectOf } from "../runs/show-run.ts";
import { cutText, durationMs, formatCount } from "../text/format.ts";
import { measureDisplayWidth, wrapColoured } from "../text/layout.ts";
import { choice, defineCommand, flag, parsed, text, withDefault } from "./command.ts";
import { type Io, sayDamaged } from "./io.ts";
import { parseCount, parseDuration, runsOptions, storeOption } from "./options.ts";
import { withStore, withUpkeep } from "./stores.ts";

export function command(io: Io): Command {
  return defineCommand({
    name: "runs",
    options: {
      pack: text("<name>", "only this pack: its name, or the file of a pack of your own"),
      outcome: choice("<outcome>", "only with this outcome", OutcomeSchema.options),
      text: text("<words>", "only runs with all these words in the case, in one reply or in the decision"),
      since: parsed("<time>", "only newer than this: 90m, 12h, 2d, or a date", parseSince),
      limit: withDefault(parsed("<number>", "the most to list", parseCount), 20),
      json: flag("as JSON Lines"),
      ...storeOption,
    },
    commands: [diffCommand(io), removeCommand(io), eraseCommand(io)],
    async action({ json, since, store: place, ...wanted }) {
      const pack = wanted.pack === undefined ? undefined : requirePackName(wanted.pack);
      await withStore(io, { store: place }, async (store) => {
        const { runs, damaged } = await store.page({ ...wanted, pack, from: since });
        for (const { id, error } of damaged) sayDamaged(io)(id, error);
        if (json) io.jsonLines(runs);
        else if (runs.length === 0) io.out(`no runs in ${store.location}\n`);
        else for (const run of runs) io.out(`${await describeRun(run, io.width)}\n`);
      });
    },
  });
}

function parseSince(given: string): string {
  const written = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+Z?)?$/.test(given) ? Date.parse(given) : Number.NaN;
  const ago = durationMs(given);
  if (Number.isNaN(written) && ago === null)
    throw new InvalidArgumentError("Give a time such as 90m, 12h or 2d, or a date such as 2026-11-18.");
  return new Date(Number.isNaN(written) ? Date.now() - (ago ?? 0) : written).toISOString();
}

async function describeRun(run: Run, width: number): Promise<string> {
  const when = run.createdAt.slice(0, 16).replace("T", " ");
  const state = run.outcome ?? (run.status === "running" ? "unfinished" : run.status);
  const { pack, cast, input } = run.manifest;
  // For an unknown pack, the first words of the case.
  const subject = listPackNames().includes(pack)
    ? subjectOf(await loadPackOf(run.manifest), run)
    : describeSubject(input).replaceAll(/\s+/g, " ").trim();
  const who = cast === "expert" ? "" : `[${cutText(cast, 24)}] `;
  const line = `${run.id}  ${when}  ${pack.padEnd(10)}  ${state.padEnd(10)}  ${who}${subject}`.trimEnd();
  const isWide = measureDisplayWidth(line) > width;
  return isWide ? `${wrapColoured(line, width - 1, { hard: true, wordWrap: false })[0]}…` : line;
}

function diffCommand(io: Io): Command {
  return defineCommand({
    name: "diff",
    arguments: { "<run>": "the one", "<other>": "the other" },
    options: { json: flag("as JSON"), ...runsOptions },
    action: (options, first: string, second: string) =>
      withStore(io, options, async (store) => {
        const [one, other] = [await readRun(store, first), await readRun(store, second)];
        const diff = await diffRuns(store, await loadPackOf(one.run.manifest), one, other);
        if (options.json) io.json(diff);
        else if (isSame(diff)) io.out("no difference except times and ids\n");
        else io.show(buildDiffSections(diff));
      }),
  });
}

function removeCommand(io: Io): Command {
  return defineCommand({
    name: "rm",
    arguments: { "[runs...]": "run ids, or their first characters" },
    options: {
      olderThan: parsed("<time>", "every finished run older than this, e.g. 30d, 12h", parseAge),
      yes: flag("remove the runs that --older-than finds; without it, they are only counted"),
      ...storeOption,
    },
    async action({ olderThan, yes, ...place }, names: string[]) {
      if ((names.length === 0) === (olderThan === undefined))
        throw new ParleyError("bad_input", "name runs, or give --older-than");
      const ids = olderThan === undefined ? await findNamed(io, place, names) : await findOld(io, place, olderThan);
      const count = formatCount(ids.length, "run");
      if (ids.length === 0) return io.out("nothing to remove\n");
      if (olderThan !== undefined && !yes) return io.out(`${count} would be removed; --yes removes them\n`);
      const { left } = await withUpkeep(io, place, (upkeep) => upkeep.remove(ids));
      io.out(`${count} removed\n`);
      if (left !== null) io.err(`${left}\n`);
    },
  });
}

function findNamed(io: Io, place: { store?: string }, names: string[]): Promise<string[]> {
  return withStore(io, place, async (store) => {
    const found = await Promise.all(names.map((name) => findRun(store, name)));
    return [...new Set(found.map(({ id }) => id))];
  });
}

/** The unit is required: `90` meant as days must not remove everything older than 90 seconds. */
function parseAge(given: string): number {
  if (/^\d{1,6}[hd]$/.test(given)) return parseDuration(given);
  throw new ParleyError("bad_input", `--older-than ${given}: give hours or days, e.g. 12h or 30d`);
}

function findOld(io: Io, place: { store?: string }, ageMs: number): Promise<string[]> {
  const before = new Date(Date.now() - ageMs).toISOString();
  return withStore(io, place, async (store) => {
    const old = await store.list({ to: before }, (id, error) => io.err(`parley: ${id}: ${error.message}\n`));
    const finished = old.filter(({ status }) => status === "finished");
    const open = old.length - finished.length;
    if (open > 0) io.err(`${formatCount(open, "run")} of that age not finished, so kept; name them to remove them\n`);
    return finished.map(({ id }) => id);
  });
}

/** Shorter texts occur in unrelated runs. */
const shortestText = 3;

function eraseCommand(io: Io): Command {
  return defineCommand({
    name: "erase",
    options: {
      case: text("<id>", "the runs of this case"),
      text: text("<text>", "the runs that contain this text, in the case, a prompt, a reply or the decision"),
      yes: flag("erase; without it, the runs are only listed"),
      ...storeOption,
    },
    async action({ case: caseId, text: words, yes, ...place }) {
      if ((caseId === undefined) === (words === undefined)) throw new ParleyError("bad_input", "give --case or --text");
      if (words !== undefined && words.trim().length < shortestText)
        throw new ParleyError(
          "bad_input",
          `--text needs at least ${shortestText} characters, or it would match almost everything`,
        );
      const wanted = words === undefined ? { caseId: caseId ?? "" } : { text: words };
      await withUpkeep(io, place, async (upkeep) => {
        const ids = await upkeep.find(wanted);
        const count = formatCount(ids.length, "run");
        if (ids.length === 0) return io.out("no run matches\n");
        if (!yes) return io.out(`${ids.join("\n")}\n${count} would be erased; --yes erases them for good\n`);
        const { left } = await upkeep.erase(ids, new Date().toISOString().slice(0, 10));
        io.out(`${count} erased; backups and exports, if you made any, still hold them\n`);
        if (left !== null) io.err(`${left}\n`);
      });
    },
  });
}
