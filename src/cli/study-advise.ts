import type { Command } from "commander";
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { loadPack } from "../packs/registry.ts";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import {
  buildAdviceSections,
  DatasetSchema,
  loadDataset,
  reachAdvice,
  runStudy,
  StudySchema,
  summariseStudy,
} from "../studies/index.ts";
import { defineCommand, parsed, rare, required, text, withDefault } from "./command.ts";
import type { Io } from "./io.ts";
import { parseConcurrency, parseCount, runOptions } from "./options.ts";
import { createProgress } from "./progress.ts";
import { makeRequest, makeRunSetting } from "./settings.ts";
import { placeIn } from "../store/replace-file.ts";
import { locateStore, withNewStore } from "./stores.ts";

const { dryRun: _, out: __, ...options } = runOptions;

export function createAdviseCommand(io: Io): Command {
  return defineCommand({
    name: "advise",
    about: "Runs a pilot on a sample of labelled data and says whether a debate is worth it there.",
    arguments: { "<data>": "labelled cases: {id, input, gold} a line, or a format of the pack" },
    options: {
      pack: required(text("<name>", "the pack that decides the cases")),
      pilot: withDefault(parsed("<number>", "cases of the pilot", parseCount), 30),
      ...options,
      format: rare(text("<name>", "the format of the data, when it is not JSON Lines of cases")),
      concurrency: rare(withDefault(parsed("<number>", "runs at once", parseConcurrency), 4)),
    },
    examples: `
Example:
  parley study advise reviews.jsonl --pack sentiment --cast openai/gpt-5-mini --pilot 30

A pilot runs the debate and its controls (one player alone, a vote, self-consistency at the debate's own budget) on a
sample of the data, and says which to use for all of it.`,
    async action(given, data: string) {
      const path = resolve(io.cwd, data);
      if (!existsSync(path))
        throw new ParleyError("bad_input", `${data} does not exist; name a file of labelled cases`);
      const pack = await loadPack(given.pack);
      const { format, pilot: limit, seed = 0, budget, concurrency } = given;
      const all = await loadDataset(DatasetSchema.parse({ path, format }), pack, io.cwd);
      await withNewStore(io, given, async (store, user) => {
        const { cast, config } = makeRequest(io, given, user, pack);
        const study = StudySchema.parse({
          study: `pilot-${basename(path).replaceAll(/[^A-Za-z0-9_.-]+/g, "-")}`.slice(0, 60),
          about: `A pilot of ${limit} cases.`,
          pack: pack.name,
          dataset: { path, format, limit, shuffle: seed },
          config,
          cast,
          arms: [{ name: "debate" }],
          seeds: [seed],
          budget,
          concurrency,
        });
        const progress = createProgress(io, given.quiet);
        const out = placeIn(join(locateStore(io, given, user), "studies"), study.study);
        rmSync(out, { recursive: true, force: true });
        const done = await runStudy({
          study,
          pack,
          folder: dirname(path),
          out,
          runs: makeRunSetting(io, store, user),
          onProgress: (now) => progress.work(() => now, "runs"),
        });
        progress.clear();
        const summary = summariseStudy(done.manifest, done.scorecards, pack.measure);
        const advice = reachAdvice(summary, all.cases.length);
        if (given.json) io.json({ ...advice, verdict: summary.verdict });
        else io.painted(renderTerminal(buildAdviceSections(advice, summary, all.cases.length), io));
        if (done.exhausted) io.exit.code = 4;
      });
    },
  });
}
