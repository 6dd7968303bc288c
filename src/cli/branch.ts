import { Command } from "commander";
import { loadPackOf } from "../packs/registry.ts";
import { branchRun } from "../runs/branch.ts";
import { readRun } from "../runs/read-run.ts";
import type { Io } from "./io.ts";
import { collect, parseInteger, withRunsOptions } from "./options.ts";
import { createProgress } from "./progress.ts";
import { printResult } from "./run-case.ts";
import { makeRunSetting } from "./settings.ts";
import { withStore } from "./stores.ts";

type Options = {
  store?: string;
  config?: string;
  from: string;
  cast?: string;
  set: string[];
  seed?: number;
  json?: boolean;
  quiet?: boolean;
  out?: string;
};

/** `parley branch RUN --from STEP` */
export function command(io: Io): Command {
  return withRunsOptions(
    new Command("branch").description(
      "Starts a new run that keeps another run's turns up to a step and plays on from there.",
    ),
  )
    .argument("<run>", "the run to branch from")
    .requiredOption("--from <step>", "the first step to play anew: round-2, 2/critique, judge, or a whole turn name")
    .option("--cast <cast>", "who plays from there on (default: as before)")
    .option("--set <key=value>", "change one setting of the pack; can be repeated", collect, [])
    .option("--seed <number>", "another seed", parseInteger)
    .option("--config <file>", "configuration file, for endpoints and prices")
    .option("--json", "print the result as JSON")
    .option("--quiet", "no progress")
    .option("--out <path>", "write the run's artifacts to this folder")
    .addHelpText("after", "\nExample:\n  parley branch 2b9x1k --from round-2 --cast critic=anthropic/claude-sonnet-5")
    .action(async (id: string, options: Options) =>
      withStore(io, options, async (store, config) => {
        const stored = await readRun(store, id);
        const pack = await loadPackOf(stored.run.manifest);
        const progress = createProgress(io, options.quiet);
        try {
          const setting = { ...makeRunSetting(io, store, config), onEvent: progress.onEvent };
          const { from, cast, seed, set } = options;
          const done = await branchRun(setting, pack, stored, { from, cast, seed, settings: set });
          progress.clear();
          printResult(io, options, pack, done);
        } finally {
          progress.clear();
        }
      }),
    );
}
