import type { Command } from "commander";
import type { AnyPack } from "../engine/pack.ts";
import { loadPackOf } from "../packs/registry.ts";
import { branchRun } from "../runs/branch.ts";
import { readRun, type StoredRun } from "../runs/read-run.ts";
import { present } from "../runs/show-run.ts";
import { continueRun, type FinishedRun, type RunSetting } from "../runs/start.ts";
import { defineCommand, flag, type Given, parsed, required, text } from "./command.ts";
import type { Io } from "./io.ts";
import { configOption, parseBudget, parseInteger, printOptions, runsOptions, setOption } from "./options.ts";
import { printResult } from "./run-case.ts";
import { type Runs, withRuns } from "./stores.ts";

const common = { ...runsOptions, ...printOptions, ...configOption };

export function command(io: Io): Command {
  return defineCommand({
    name: "resume",
    arguments: { "<run>": "a run's id, or the first characters of it" },
    options: {
      budget: parsed("<limits>", "new limits, when the old ones ran out", parseBudget),
      takeOver: flag("take the run from the process that has it, which then stops"),
      ...common,
    },
    action: (options, id: string) =>
      playOn(io, options, id, async (setting, pack, stored) => {
        const { run, result } = stored;
        const isOver =
          run.status === "finished" && !["failed", "budget_exhausted"].includes(result?.outcome ?? "failed");
        if (!isOver) return continueRun(setting, pack, run.id, options);
        if (!options.quiet) io.err(`run ${run.id} had already ended\n`);
        present(pack, stored, (finished) => printResult(io, options, pack, { runId: run.id, finished }));
        return null;
      }),
  });
}

export function branch(io: Io): Command {
  return defineCommand({
    name: "branch",
    arguments: { "<run>": "the run to branch from" },
    options: {
      from: required(text("<step>", "the first step to play again: round-2, 2/critique, judge, or a whole turn name")),
      cast: text("<cast>", "who plays from there on (default: as before)"),
      ...setOption,
      seed: parsed("<number>", "another seed", parseInteger),
      ...common,
    },
    action: (options, id: string) =>
      playOn(io, options, id, (setting, pack, stored) => {
        const { from, cast, seed, set: settings } = options;
        return branchRun(setting, pack, stored, { from, cast, seed, settings });
      }),
  });
}

type Play = (setting: RunSetting, pack: AnyPack, stored: StoredRun) => Promise<FinishedRun | null>;

async function playOn(io: Io, options: Given<typeof common>, id: string, play: Play): Promise<void> {
  const run = async ({ store, setting, progress }: Runs): Promise<void> => {
    const stored = await readRun(store, id);
    const pack = await loadPackOf(stored.run.manifest);
    const done = await play(setting, pack, stored);
    progress.clear();
    if (done) printResult(io, options, pack, done);
  };
  await withRuns(io, options, run, { isOne: true, isRead: true });
}
