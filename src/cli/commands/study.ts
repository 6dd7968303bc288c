import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { addPanelCommands } from "../study-panel.ts";
import type { Io } from "../terminal/io.ts";
import {
  parseBudget,
  jobsHelp,
  parseConcurrency,
  parseJobs,
  parseCount,
  parseInteger,
  withFleetOptions,
  withPromiseOptions,
  withRunsOptions,
  withStoreOption,
} from "../setting/options.ts";
import type { StudyRunOptions } from "../study/run-study-file.ts";
import type { StudiesOptions } from "../study/stored-studies.ts";

/** `parley study run | report | compare | list` */
export function command(io: Io): Command {
  const study = new Command("study").description(
    "Finds out whether a debate is worth it: arms × cases × seeds, with controls and statistics.",
  );
  study.addCommand(runCommand(io));
  study.addCommand(
    withRunsOptions(new Command("report"))
      .description("Writes the reports of a study again, from its results; runs nothing.")
      .argument("<study>", "its name or its folder")
      .action(async (name: string, options: StudiesOptions) =>
        (await import("../study/report-study.ts")).reportStudy(io, name, options),
      ),
  );
  study.addCommand(
    withRunsOptions(new Command("compare"))
      .description("Compares the arms of two studies, case by case.")
      .argument("<first>", "name or folder")
      .argument("<second>", "name or folder")
      .option("--json", "print the comparison as JSON")
      .action(async (first: string, second: string, options: StudiesOptions & { json?: boolean }) =>
        (await import("../study/compare-study.ts")).compareStudy(io, first, second, options),
      ),
  );
  study.addCommand(
    withStoreOption(new Command("list"))
      .description("Lists the studies that ran here, and those that come with Parley.")
      .option("--json", "print them as JSON")
      .action(async (options: StudiesOptions & { json?: boolean }) =>
        (await import("../study/list-studies.ts")).listStudies(io, options),
      ),
  );
  addPanelCommands(study, io);
  return study.addHelpText("after", examples);
}

function runCommand(io: Io): Command {
  return withPromiseOptions(withFleetOptions(withRunsOptions(new Command("run"))))
    .description(
      "Runs a study, or what is missing of it, and writes results.jsonl, scorecards.jsonl, manifest.json, report.html and report.md.",
    )
    .argument("<file>", "a study file, or the name of one that comes with Parley (parley study list)")
    .option("--out <folder>", "where the results go (default: .parley/studies/NAME)")
    .option("--config <file>", "configuration file with endpoints and prices")
    .option("--dataset <file>", "other data than the study file names")
    .option("--format <name>", "the format of that data")
    .option("--limit <number>", "the first cases only", parseCount)
    .option("--cast <cast>", "who plays, instead of the study's cast")
    .option("--seeds <list>", "seeds, e.g. 1,2,3", parseSeeds)
    .option("--concurrency <number>", "runs at once", parseConcurrency)
    .option("--jobs <number>", jobsHelp, parseJobs)
    .option("--budget <limits>", "for the whole study, e.g. usd=5,tokens=2000000,time=2h", parseBudget)
    .option("--retry-failed", "run what failed before once more")
    .option("--fresh", "throw earlier results of this folder away")
    .option("--dry-run", "say what it would cost and call nothing")
    .option("--quiet", "no progress")
    .option("--json", "print where the results are, and the verdict, as JSON")
    .action(async (file: string, options: StudyRunOptions) =>
      (await import("../study/run-study-file.ts")).runStudyFile(io, file, options),
    );
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
Run the same line again after a stop: what is done is kept, the rest is added.`;
