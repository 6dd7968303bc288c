import type { Command } from "commander";
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { AnyPack } from "../engine/pack.ts";
import type { Section } from "../contract/view.ts";
import { loadPack } from "../packs/registry.ts";
import { readSyntheticSettings } from "../players/synthetic-player.ts";
import { formatEstimate, sumEstimates } from "../runs/estimate.ts";
import {
  buildAdviceSections,
  buildLabSections,
  DatasetSchema,
  listStudyFolders,
  loadDataset,
  makeLabCases,
  reachAdvice,
  readStudyFolder,
  runLab,
  runStudy,
  StudySchema,
  type StudyManifest,
  type StudyOptions,
  type Study,
  bundledStudies,
  findStudyFile,
  readStudy,
  summariseLab,
  summariseStudy,
  writePage,
  type WrittenReports,
  writeReports,
} from "../studies/index.ts";
import { buildOverviewSections } from "../studies/report/study-sections.ts";
import { estimateStudy } from "../studies/run/plan-arms.ts";
import { countText, formatCount } from "../text/format.ts";
import { suggestName } from "../text/similar.ts";
import { wrap } from "../text/layout.ts";
import { defineCommand, flag, type Given, parsed, rare, required, text, withDefault } from "./command.ts";
import { type Io, resolveOut } from "./io.ts";
import {
  configOption,
  fleetOptions,
  parseBudget,
  parseConcurrency,
  parseCount,
  parseInteger,
  promiseOptions,
  runOptions as debateOptions,
  runsOptions,
  storeOption,
} from "./options.ts";
import { createProgress } from "./progress.ts";
import { adviseAgain } from "./run-file.ts";
import { loadUserConfig, makeRequest, pickCastOptions, readCertified } from "./settings.ts";
import { createCertifyCommand } from "./study-certify.ts";
import { createPanelCommands } from "./study-panel.ts";
import { placeIn, replaceFile } from "../store/replace-file.ts";
import { locateStore, type Runs, type StoreOptions, withRuns } from "./stores.ts";

const runOptions = {
  out: text("<folder>", "where the results go (default: .parley/studies/NAME)"),
  dataset: text("<file>", "use this data instead of the study file's"),
  limit: parsed("<number>", "the first cases only", parseCount),
  cast: text("<cast>", "who plays, instead of the study's cast"),
  budget: parsed("<limits>", "for the whole study, e.g. usd=5,tokens=2000000,time=2h", parseBudget),
  dryRun: flag("estimate the cost without calling a model"),
  json: flag("print the verdict and the place of the results as JSON"),
  ...runsOptions,
  ...configOption,
  format: rare(text("<name>", "the format of that data")),
  seeds: rare(parsed("<list>", "seeds, e.g. 1,2,3", (given) => given.split(",").map(parseInteger))),
  concurrency: rare(parsed("<number>", "runs at once", parseConcurrency)),
  retryFailed: rare(flag("run failed runs again")),
  quiet: rare(flag("no progress")),
  ...fleetOptions,
  ...promiseOptions,
};
type Options = Given<typeof runOptions>;

export function command(io: Io): Command {
  return defineCommand({
    name: "study",
    commands: [
      defineCommand({
        name: "run",
        arguments: { "<file>": "a study file, or the name of one that comes with Parley (parley study list)" },
        options: runOptions,
        action: (options, name: string) => runStudyFile(io, name, options),
      }),
      defineCommand({
        name: "report",
        arguments: { "<study>": "its name or its folder" },
        options: runsOptions,
        action: (options, name: string) => reportStudy(io, name, options),
      }),
      defineCommand({
        name: "list",
        options: storeOption,
        action: (options) => listStudies(io, options),
      }),
      ...createPanelCommands(io),
      createAdviseCommand(io),
      createCertifyCommand(io),
      createLabCommand(io),
    ],
  });
}

async function runStudyFile(io: Io, name: string, options: Options): Promise<void> {
  const file = findStudyFile(name, io.cwd);
  const study = withOptions(readStudy(file), options, io);
  const pack = await loadPack(study.pack);
  const plan = { study, pack, folder: dirname(file) };
  if (options.dryRun) return printStudyDryRun(io, plan, options);
  try {
    await withRuns(io, options, async (runs) => {
      const { out, done } = await playStudy(io, runs, options, plan, {
        retryFailed: options.retryFailed,
        onPlanned: (manifest, jobs) => options.quiet || io.err(formatPlan(manifest, jobs)),
      });
      const reports = await writeReports(out, done, pack);
      const failed = done.scorecards.filter((card) => card.outcome === "failed").length;
      const { html: report, summary } = reports;
      if (options.json) io.jsonLines([{ out, report, missing: done.missing, failed, verdict: summary.verdict }]);
      else printStudy(io, reports);
      if (done.exhausted)
        io.err("The study's budget is used up. Run the same command with a larger budget to add the missing runs.\n");
      if (done.waiting > 0)
        io.err(
          `${formatCount(done.waiting, "run waits", "runs wait")} for a person: answer with parley review, then run the same command again.\n`,
        );
      io.exit.code = done.exhausted ? 4 : failed > 0 ? 1 : done.waiting > 0 ? 3 : 0;
    });
  } catch (error) {
    if (!hasCode(error, "interrupted")) throw adviseAgain(error);
    io.err("Stopped. Finished runs are kept: run the same command again to continue.\n");
    io.exit.code = 130;
  }
}

type Plan = { study: Study; pack: AnyPack; folder: string };

type Place = StoreOptions & { out?: string | undefined; isFresh?: boolean };

/** Runs a study in a folder beside its store, unless another is given; with `isFresh`, from the beginning. */
async function playStudy(
  io: Io,
  runs: Runs,
  { isFresh, ...place }: Place,
  plan: Plan,
  more: Partial<StudyOptions> = {},
) {
  const studies = join(locateStore(io, place, runs.config), "studies");
  const out = resolve(io.cwd, place.out ?? placeIn(studies, plan.study.study));
  if (isFresh) rmSync(out, { recursive: true, force: true });
  const { setting, progress } = runs;
  const onProgress: StudyOptions["onProgress"] = (now) => progress.work(() => now, "runs");
  const done = await runStudy({ ...plan, out, runs: setting, onProgress, ...more });
  progress.clear();
  return { out, done };
}

async function printStudyDryRun(io: Io, { study, pack, folder }: Plan, options: Options): Promise<void> {
  const castOptions = pickCastOptions(io, loadUserConfig(io, options));
  const { rows, runs, played, cases } = await estimateStudy(study, pack, folder, { ...castOptions, signal: io.signal });
  const notes = [`${formatCount(runs, "run")}, estimated from ${formatCount(played, "case")} of ${cases}.`];
  if (options.json) io.json({ dry_run: true, arms: rows, all: sumEstimates(rows), notes });
  else io.out(formatEstimate(rows, study.budget ?? {}, notes));
}

function withOptions(study: Study, options: Options, io: Io): Study {
  const { dataset: path, format, limit, cast, seeds, concurrency, budget } = options;
  const own = { ...study.dataset, format: format ?? study.dataset.format, limit: limit ?? study.dataset.limit };
  const map = format === undefined ? own.map : undefined;
  return {
    ...study,
    config: { ...study.config, ...readCertified(io, options, study.pack) },
    dataset: path === undefined ? own : { ...own, path: resolve(io.cwd, path), format, map, made_up: false },
    cast: cast ?? study.cast,
    seeds: seeds ?? study.seeds,
    concurrency: concurrency ?? study.concurrency,
    budget: budget ?? study.budget,
  };
}

function locateStudies(io: Io, options: StoreOptions): string {
  return join(locateStore(io, options), "studies");
}

function listStudies(io: Io, options: StoreOptions): void {
  const folder = locateStudies(io, options);
  const ran = listStudyFolders(folder).map((name) => {
    const { manifest, scorecards } = readStudyFolder(join(folder, name));
    const { arms, dataset, seeds, pack } = manifest;
    const planned = arms.length * dataset.cases * seeds.length;
    const size = `${dataset.cases} cases × ${arms.length} arms`;
    return [name, pack, size, `${scorecards.length} of ${planned} runs`];
  });
  const bundled = bundledStudies().map((name) => {
    const { pack, about } = readStudy(findStudyFile(name, "/"));
    return [name, pack, about ?? ""];
  });
  const list = (title: string, rows: string[][]): Section => ({
    kind: "table",
    title,
    columns: (rows[0] ?? []).map(() => ""),
    rows,
  });
  if (ran.length === 0) io.out("No study has run here yet.\n\n");
  io.show([list(`Ran here (${folder})`, ran), list("Come with Parley (parley study run NAME)", bundled)]);
}

async function reportStudy(io: Io, name: string, options: StoreOptions): Promise<void> {
  const folder = locateStudies(io, options);
  const path = [resolve(io.cwd, name), join(folder, name)].find((one) => existsSync(join(one, "manifest.json")));
  if (path === undefined)
    throw new ParleyError(
      "bad_input",
      `no study "${name}" has run here${suggestName(name, listStudyFolders(folder))}; start one with: parley study run FILE.yaml`,
    );
  const study = readStudyFolder(path);
  printStudy(io, await writeReports(path, study, await loadPack(study.manifest.pack)));
}

function formatPlan(manifest: StudyManifest, { total, done }: { total: number; done: number }): string {
  const { dataset, arms, seeds } = manifest;
  const names = arms.map((arm) => arm.name).join(", ");
  const sizes = `${formatCount(dataset.cases, "case")} × ${formatCount(arms.length, "arm")} (${names}) × ${formatCount(seeds.length, "seed")} = ${formatCount(total, "run")}`;
  const before = done > 0 ? [`${countText(done)} of them are done already.`] : [];
  return `${[sizes, ...before].join("\n")}\n`;
}

function printStudy(io: Io, { summary, html, markdown }: WrittenReports): void {
  const { about } = summary.manifest;
  if (about !== null) io.painted(`${wrap(about, io.width).join("\n")}\n\n`);
  io.show(buildOverviewSections(summary));
  io.out(`\n${html}\n${markdown}\n`);
}

const { dryRun: _, out: __, ...pilotOptions } = debateOptions;

function createAdviseCommand(io: Io): Command {
  return defineCommand({
    name: "advise",
    arguments: { "<data>": "labelled cases: {id, input, gold} a line, or a format of the pack" },
    options: {
      pack: required(text("<name>", "the pack that decides the cases")),
      pilot: withDefault(parsed("<number>", "cases of the pilot", parseCount), 30),
      ...pilotOptions,
      format: rare(text("<name>", "the format of the data, when it is not JSON Lines of cases")),
      concurrency: rare(withDefault(parsed("<number>", "runs at once", parseConcurrency), 4)),
    },
    async action(given, data: string) {
      const path = resolve(io.cwd, data);
      if (!existsSync(path))
        throw new ParleyError("bad_input", `${data} does not exist; name a file of labelled cases`);
      const pack = await loadPack(given.pack);
      const { format, pilot: limit, seed = 0, budget, concurrency } = given;
      const all = await loadDataset(DatasetSchema.parse({ path, format }), pack, io.cwd);
      await withRuns(io, given, async (runs) => {
        const { cast, config } = makeRequest(io, given, runs.config, pack);
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
        const plan = { study, pack, folder: dirname(path) };
        const { done } = await playStudy(io, runs, { store: given.store, isFresh: true }, plan);
        const summary = summariseStudy(done.manifest, done.scorecards, pack.measure);
        const advice = reachAdvice(summary, all.cases.length);
        if (given.json) io.json({ ...advice, verdict: summary.verdict });
        else io.show(buildAdviceSections(advice, summary, all.cases.length));
        if (done.exhausted) io.exit.code = 4;
      });
    },
  });
}

function createLabCommand(io: Io): Command {
  return defineCommand({
    name: "lab",
    arguments: { "[settings...]": "settings of the speakers, e.g. accuracy=0.55" },
    options: {
      limit: withDefault(parsed("<number>", "questions", parseCount), 300),
      seed: withDefault(parsed("<number>", "seed for all random choices", parseInteger), 0),
      out: text("<file>", "write the report as HTML"),
      json: flag("print every arm as JSON Lines"),
    },
    async action({ limit, seed, out, json }, settings: string[]) {
      const speakers = readSyntheticSettings(settings.join(","));
      const progress = createProgress(io);
      let state = "";
      progress.watch(() => state);
      const study = await runLab(speakers, makeLabCases(limit, 4, seed), {
        signal: io.signal,
        onRun: (done, all) => (state = `${done} of ${all} debates`),
      });
      progress.clear();
      const summary = summariseLab(study);
      const sections = buildLabSections(summary);
      const intro = "Speakers of known quality on questions whose answer is known.";
      const head = { title: "When does a debate pay?", from: "lab", intro };
      if (out !== undefined) replaceFile(resolveOut(io, { out }), await writePage(head, sections));
      if (json) io.jsonLines(summary.arms);
      else io.show(sections);
    },
  });
}
