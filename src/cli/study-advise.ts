import { Command } from "commander";
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import type { AnyPack } from "../engine/pack.ts";
import { loadPack } from "../packs/registry.ts";
import type { RunRequest } from "../runs/start.ts";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import {
  buildAdviceSections,
  DatasetSchema,
  loadDataset,
  reachAdvice,
  runStudy,
  type Study,
  StudySchema,
  summariseStudy,
} from "../studies/index.ts";
import type { Io } from "./io.ts";
import { type RunOptions, parseConcurrency, parseCount, withRunOptions } from "./options.ts";
import { createProgress } from "./progress.ts";
import { makeRequest, makeRunSetting } from "./settings.ts";
import { locateStore, withNewStore } from "./stores.ts";
import { formatProgress } from "./study-run.ts";

type Options = RunOptions & { pilot: number; of: string; format?: string; concurrency: number };

const examples = `
Examples:
  parley study advise reviews.jsonl --of sentiment --cast openai/gpt-5-mini --pilot 30
  parley study advise questions.jsonl --of question --cast "synthetic(accuracy=0.7,insight=0.3)" --pilot 200

A pilot runs the debate and its controls (one player alone, a vote, self-consistency at the debate's own budget) on a
sample of the data, and says which to use for all of it.`;

/** `parley study advise DATA` */
export function createAdviseCommand(io: Io): Command {
  return withRunOptions(
    new Command("advise").description(
      "Runs a pilot on a sample of labelled data and says whether a debate is worth it there.",
    ),
  )
    .argument("<data>", "labelled cases: {id, input, gold} a line, or a format of the pack")
    .requiredOption("--of <pack>", "the pack that decides the cases")
    .option("--pilot <number>", "cases of the pilot", parseCount, 30)
    .option("--format <name>", "the format of the data, when it is not JSON Lines of cases")
    .option("--concurrency <number>", "runs at once", parseConcurrency, 4)
    .addHelpText("after", examples)
    .action(async (data: string, options: Options) => {
      const path = resolve(io.cwd, data);
      if (!existsSync(path))
        throw new ParleyError("bad_input", `${data} does not exist; name a file of labelled cases`);
      const pack = await loadPack(options.of);
      const dataset = DatasetSchema.parse({ path, format: options.format });
      const all = await loadDataset(dataset, pack, io.cwd);
      await withNewStore(io, options, async (store, config) => {
        const request = makeRequest(io, options, config, pack);
        const study = planPilot(pack, path, options, request);
        const progress = createProgress(io, options.quiet);
        const startedMs = performance.now();
        const out = join(locateStore(io, options, config), "studies", study.study);
        rmSync(out, { recursive: true, force: true });
        const done = await runStudy({
          study,
          pack,
          folder: dirname(path),
          out,
          runs: makeRunSetting(io, store, config),
          onProgress: (now) => progress.line(formatProgress(now, performance.now() - startedMs)),
        });
        progress.clear();
        const pilot = summariseStudy(done.manifest, done.scorecards, pack.measure);
        const advice = reachAdvice(pilot, all.cases.length);
        if (options.json) io.out(`${JSON.stringify({ ...advice, verdict: pilot.verdict }, null, 2)}\n`);
        else io.painted(renderTerminal(buildAdviceSections(advice, pilot, all.cases.length), io));
        if (done.exhausted) io.exit.code = 4;
      });
    });
}

function planPilot(pack: AnyPack, path: string, options: Options, { cast, config }: Omit<RunRequest, "input">): Study {
  const name = `pilot-${basename(path).replaceAll(/[^A-Za-z0-9_.-]+/g, "-")}`.slice(0, 60);
  return StudySchema.parse({
    study: name,
    about: `A pilot of ${options.pilot} cases.`,
    pack: pack.name,
    dataset: { path, format: options.format, limit: options.pilot, shuffle: options.seed ?? 0 },
    config,
    cast,
    arms: [{ name: "debate" }],
    seeds: [options.seed ?? 0],
    budget: options.budget,
    concurrency: options.concurrency,
  });
}
