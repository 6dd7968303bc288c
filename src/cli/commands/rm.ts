import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { findRun } from "../../runs/record/read-run.ts";
import { formatCount } from "../../text/number-text.ts";
import { withStoreOption } from "../setting/options.ts";
import { withStore } from "../setting/with-store.ts";
import { openUpkeep } from "../store/upkeep-commands.ts";
import type { Io } from "../terminal/io.ts";

type Options = { store?: string; olderThan?: number; yes?: boolean };

/** `parley rm RUN… | --older-than 30d` */
export function command(io: Io): Command {
  return withStoreOption(
    new Command("rm").description("Removes runs and frees their space; what other runs share stays."),
  )
    .argument("[runs...]", "runs, by id or the beginning of it")
    .option("--older-than <time>", "every finished run that was made longer ago, e.g. 30d, 12h", parseAge)
    .option("--yes", "remove what --older-than finds; without it, it is only counted")
    .addHelpText(
      "after",
      "\nExamples:\n  parley rm 2b9x1k\n  parley rm --older-than 90d            says how many that would be\n  parley rm --older-than 90d --yes",
    )
    .action(async (runs: string[], options: Options) => {
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

async function findNamed(io: Io, options: Options, names: string[]): Promise<string[]> {
  const ids: string[] = [];
  await withStore(io, options, async (store) => {
    for (const name of names) ids.push((await findRun(store, name)).id);
  });
  return [...new Set(ids)];
}

async function findOld(io: Io, options: Options): Promise<string[]> {
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
