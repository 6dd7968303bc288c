import { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import type { Io } from "./io.ts";
import {
  parseBudget,
  parseConcurrency,
  parseCount,
  parseInteger,
  rareOption,
  withFleetOptions,
  withPromiseOptions,
  withRunsOptions,
  withStoreOption,
} from "./options.ts";
import { createAdviseCommand } from "./study-advise.ts";
import { createCertifyCommand } from "./study-certify.ts";
import { createLabCommand } from "./study-lab.ts";
import { addPanelCommands } from "./study-panel.ts";
import { type StudiesOptions, type StudyRunOptions, listStudies, reportStudy, runStudyFile } from "./study-run.ts";

/** `parley study run | report | list | panel | jury | judges | advise | certify | lab` */
export function command(io: Io): Command {
  const study = new Command("study").description(
    "Finds out whether a debate is worth it: arms × cases × seeds, with controls and statistics.",
  );
  study.addCommand(runCommand(io));
  study.addCommand(
    withRunsOptions(new Command("report"))
      .description("Writes the reports of a study again, from its results; runs nothing.")
      .argument("<study>", "its name or its folder")
      .action((name: string, options: StudiesOptions) => reportStudy(io, name, options)),
  );
  study.addCommand(
    withStoreOption(new Command("list"))
      .description("Lists the studies that ran here, and those that come with Parley.")
      .action((options: StudiesOptions) => listStudies(io, options)),
  );
  addPanelCommands(study, io);
  for (const create of [createAdviseCommand, createCertifyCommand, createLabCommand]) study.addCommand(create(io));
  return study.addHelpText("after", examples);
}

function runCommand(io: Io): Command {
  return withPromiseOptions(withFleetOptions(withRunsOptions(new Command("run"))))
    .description(
      "Runs a study, or the runs it still lacks, and writes results.jsonl, manifest.json, report.html and report.md.",
    )
    .argument("<file>", "a study file, or the name of one that comes with Parley (parley study list)")
    .option("--out <folder>", "where the results go (default: .parley/studies/NAME)")
    .option("--dataset <file>", "use this data instead of the study file's")
    .option("--limit <number>", "the first cases only", parseCount)
    .option("--cast <cast>", "who plays, instead of the study's cast")
    .option("--seeds <list>", "seeds, e.g. 1,2,3", parseSeeds)
    .option("--budget <limits>", "for the whole study, e.g. usd=5,tokens=2000000,time=2h", parseBudget)
    .option("--dry-run", "estimate the cost without calling a model")
    .option("--json", "print where the results are, and the verdict, as JSON")
    .addOption(rareOption("--config <file>", "configuration file with endpoints and prices"))
    .addOption(rareOption("--format <name>", "the format of that data"))
    .addOption(rareOption("--concurrency <number>", "runs at once").argParser(parseConcurrency))
    .addOption(rareOption("--retry-failed", "run failed runs again"))
    .addOption(rareOption("--quiet", "no progress"))
    .addHelpText(
      "after",
      "\nExamples:\n  parley study run abl_no_debate\n  parley study run mine.yaml --cast openai/gpt-5-mini --budget usd=2 --dry-run",
    )
    .action((file: string, options: StudyRunOptions) => runStudyFile(io, file, options));
}

function parseSeeds(text: string): number[] {
  const seeds = text.split(",").map((part) => parseInteger(part.trim()));
  if (seeds.some((seed) => seed < 0)) throw new ParleyError("bad_input", `--seeds ${text}: a seed is not negative`);
  if (new Set(seeds).size !== seeds.length)
    throw new ParleyError("bad_input", `--seeds ${text}: a seed is listed twice; each gives one run`);
  return seeds;
}

const examples = `
Examples:
  parley study list
  parley study run abl_no_debate
  parley study run abl_no_debate --dataset reviews.jsonl --cast openai/gpt-5-mini --budget usd=2
  parley study report abl_no_debate
  parley study advise reviews.jsonl --of sentiment --cast openai/gpt-5-mini --pilot 30
  parley study certify labelled.jsonl --of law --max-wrong 5%
  parley study lab --speakers accuracy=0.55,0.7
If a study stops, run the same command again: finished runs are kept and only the rest is run.`;
