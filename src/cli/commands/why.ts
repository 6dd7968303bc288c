import { Command } from "commander";
import { loadPackOf } from "../../packs/registry.ts";
import { renderTerminal } from "../../print/terminal/render-terminal.ts";
import { explainRun } from "../../runs/influence/explain-run.ts";
import { makeWhySections } from "../../runs/influence/why-sections.ts";
import { findLanguage, finishedOf } from "../../runs/record/show-run.ts";
import { readRun } from "../../runs/record/read-run.ts";
import { withRunsOptions } from "../setting/options.ts";
import { chooseRun } from "../setting/choose-run.ts";
import { withStore } from "../setting/with-store.ts";
import type { Io } from "../terminal/io.ts";

type Options = { store?: string; last?: boolean; json?: boolean };

const examples = `
Examples:
  parley why 2b9x1k            the turns, claims, quotes, scores and settings its decision hangs on
  parley why 2b9x1k --json     all of it, with what each would flip

Each turn is left out once and the rules decide again; the other speakers repeat what they said. No call is made.`;

/** `parley why RUN` */
export function command(io: Io): Command {
  return withRunsOptions(
    new Command("why").description(
      "Says what a decision hangs on: which turns, claims or quotes, and the smallest change that flips it.",
    ),
  )
    .argument("[run]", "a run's id, or the beginning of it")
    .option("--last", "the run that was made last")
    .option("--json", "print everything that was weighed as JSON")
    .addHelpText("after", examples)
    .action(async (given: string | undefined, options: Options) =>
      withStore(io, options, async (store) => {
        const id = await chooseRun(store, given, options.last);
        const stored = await readRun(store, id);
        const pack = await loadPackOf(stored.run.manifest);
        const why = await explainRun(pack, stored);
        if (options.json) io.out(`${JSON.stringify(why, null, 2)}\n`);
        else io.painted(renderTerminal(makeWhySections(why, findLanguage(pack, finishedOf(stored))), io));
      }),
    );
}
