import { Command } from "commander";
import type { Budget } from "../contract/budget.ts";
import { loadPackOf } from "../packs/registry.ts";
import { present } from "../runs/show-run.ts";
import { findRun, readRun } from "../runs/read-run.ts";
import { continueRun } from "../runs/start.ts";
import type { Io } from "./io.ts";
import { parseBudget, withRunsOptions } from "./options.ts";
import { createProgress } from "./progress.ts";
import { printResult } from "./run-case.ts";
import { loadUserConfig, makeRunSetting } from "./settings.ts";
import { openExistingStore } from "./stores.ts";

type Options = {
  store?: string;
  config?: string;
  budget?: Budget;
  takeOver?: boolean;
  json?: boolean;
  quiet?: boolean;
  out?: string;
};

/** `parley resume RUN` */
export function command(io: Io): Command {
  return withRunsOptions(
    new Command("resume").description(
      "Continues a run that was stopped; turns that were answered are not asked again.",
    ),
  )
    .argument("<run>", "a run's id, or the first characters of it")
    .option("--config <file>", "configuration file, for endpoints and prices")
    .option("--budget <limits>", "new limits, when the old ones ran out", parseBudget)
    .option("--take-over", "take the run from the process that has it, which then stops")
    .option("--json", "print the result as JSON")
    .option("--quiet", "no progress")
    .option("--out <path>", "write the run's artifacts to this folder")
    .addHelpText(
      "after",
      "\nExamples:\n  parley resume 2b9x1k\n  parley resume 2b9x1k --budget calls=50     when the old limits ran out",
    )
    .action(async (id: string, options: Options) => resume(io, id, options));
}

async function resume(io: Io, id: string, options: Options): Promise<void> {
  const config = loadUserConfig(io, options);
  const store = await openExistingStore(io, options, config);
  const progress = createProgress(io, options.quiet);
  try {
    const run = await findRun(store, id);
    const pack = await loadPackOf(run.manifest);
    const stored = await readRun(store, run.id);
    const { result } = stored;
    const isOver =
      run.status === "finished" &&
      result !== null &&
      result.outcome !== "failed" &&
      result.outcome !== "budget_exhausted";
    if (isOver) {
      if (!options.quiet) io.err(`run ${run.id} had ended already\n`);
      return present(pack, stored, (finished) => printResult(io, options, pack, { runId: run.id, finished }));
    }
    const setting = { ...makeRunSetting(io, store, config), onEvent: progress.onEvent };
    const done = await continueRun(setting, pack, run.id, options);
    progress.clear();
    printResult(io, options, pack, done);
  } finally {
    progress.clear();
    await store.close();
  }
}
