import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Budget } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { AnyPack } from "../engine/pack.ts";
import { loadPack } from "../packs/registry.ts";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import { formatEstimate, sumEstimates } from "../runs/estimate.ts";
import type { UserConfig } from "../runs/user-config.ts";
import { buildOverviewSections } from "../studies/report/study-sections.ts";
import { writeReports, type WrittenReports } from "../studies/report/study-report.ts";
import type { StudyManifest } from "../studies/results/results.ts";
import { estimateStudy } from "../studies/run/estimate-study.ts";
import { runStudy, type StudyProgress } from "../studies/run/run-study.ts";
import { readStudyFolder } from "../studies/run/study-folder.ts";
import { findStudyFile, bundledStudies } from "../studies/run/study-file.ts";
import { readStudy } from "../studies/run/study-file.ts";
import type { Study } from "../studies/run/study-file.ts";
import { countText, formatCount, formatDuration, formatPoints, formatShortCount, formatUsd } from "../text/format.ts";
import { suggestName } from "../text/similar.ts";
import { formatTable, wrap } from "../text/layout.ts";
import type { Io } from "./io.ts";
import type { PromiseOptions } from "./options.ts";
import { createProgress } from "./progress.ts";
import { adviseAgain } from "./run-file.ts";
import { loadUserConfig, makeRunSetting, pickCastOptions, readCertified } from "./settings.ts";
import { locateStore, openStore, openWorkers } from "./stores.ts";

export type StudyRunOptions = {
  out?: string;
  store?: string;
  config?: string;
  dataset?: string;
  format?: string;
  limit?: number;
  cast?: string;
  seeds?: number[];
  concurrency?: number;
  budget?: Budget;
  dryRun?: boolean;
  retryFailed?: boolean;
  quiet?: boolean;
  json?: boolean;
  fleet?: boolean;
  priority?: number;
} & PromiseOptions;

/** `parley study run FILE`: runs what is missing, then writes the reports. */
export async function runStudyFile(io: Io, name: string, options: StudyRunOptions): Promise<void> {
  const file = findStudyFile(name, io.cwd);
  const study = withOptions(readStudy(file), options, io);
  const config = loadUserConfig(io, options);
  const out = resolve(io.cwd, options.out ?? join(locateStore(io, options, config), "studies", study.study));
  const pack = await loadPack(study.pack);
  if (options.dryRun) return printStudyDryRun(io, { study, pack, folder: dirname(file), json: options.json }, config);
  const store = await openStore(io, options, config);
  const workers = await openWorkers(io, options, config);
  const progress = createProgress(io, options.quiet);
  const startedMs = performance.now();
  try {
    const done = await runStudy({
      study,
      pack,
      folder: dirname(file),
      out,
      runs: { ...makeRunSetting(io, store, config), elsewhere: workers?.elsewhere },
      retryFailed: options.retryFailed,
      onPlanned: (manifest, jobs) => options.quiet || io.err(formatPlan(manifest, jobs)),
      onProgress: (now) => progress.line(formatProgress(now, performance.now() - startedMs)),
    });
    progress.clear();
    const reports = await writeReports(out, done, pack);
    const failed = done.scorecards.filter((card) => card.outcome === "failed").length;
    if (options.json)
      io.out(
        `${JSON.stringify({ out, report: reports.html, missing: done.missing, failed, verdict: reports.summary.verdict })}\n`,
      );
    else printStudy(io, reports);
    if (done.exhausted)
      io.err("The study's budget is used up. Run the same command with a larger budget to add the missing runs.\n");
    if (done.waiting > 0)
      io.err(
        `${formatCount(done.waiting, "run waits", "runs wait")} for a person: answer with parley review, then run the same command again.\n`,
      );
    io.exit.code = done.exhausted ? 4 : failed > 0 ? 1 : done.waiting > 0 ? 3 : 0;
  } catch (error) {
    progress.clear();
    if (hasCode(error, "interrupted")) {
      io.err("Stopped. Finished runs are kept: run the same command again to continue.\n");
      io.exit.code = 130;
    } else throw adviseAgain(error);
  } finally {
    await workers?.close();
    await store.close();
  }
}

async function printStudyDryRun(
  io: Io,
  { study, pack, folder, json }: { study: Study; pack: AnyPack; folder: string; json: boolean | undefined },
  config: UserConfig,
): Promise<void> {
  const { rows, runs, played, cases } = await estimateStudy(study, pack, folder, {
    ...pickCastOptions(io, config),
    signal: io.signal,
  });
  const notes = [`${formatCount(runs, "run")}, reckoned from ${formatCount(played, "case")} of ${cases}.`];
  if (json) io.out(`${JSON.stringify({ dry_run: true, arms: rows, all: sumEstimates(rows), notes }, null, 2)}\n`);
  else io.out(formatEstimate(rows, study.budget ?? {}, notes));
}

/** The study with what the command line says over it; paths given there are from the working folder. */
function withOptions(study: Study, options: StudyRunOptions, io: Io): Study {
  const { dataset, format, limit, cast, seeds, concurrency, budget } = options;
  const own = {
    ...study.dataset,
    ...(format === undefined ? {} : { format }),
    ...(limit === undefined ? {} : { limit }),
  };
  return {
    ...study,
    config: { ...study.config, ...readCertified(io, options, study.pack) },
    dataset:
      dataset === undefined
        ? own
        : {
            ...own,
            path: resolve(io.cwd, dataset),
            format,
            map: format === undefined ? own.map : undefined,
            made_up: false,
          },
    ...(cast === undefined ? {} : { cast }),
    ...(seeds === undefined ? {} : { seeds }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(budget === undefined ? {} : { budget }),
  };
}

export type StudiesOptions = { store?: string; config?: string };

/** Where studies are kept unless told otherwise. */
function locateStudies(io: Io, options: StudiesOptions): string {
  return join(locateStore(io, options), "studies");
}

/** The studies kept there, by name. */
function listStoredStudies(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "manifest.json")) && statSync(join(folder, name)).isDirectory())
    .sort();
}

/** A study that ran before, by its folder or by its name. */
function openStudy(io: Io, options: StudiesOptions, name: string) {
  const folder = locateStudies(io, options);
  const path = [resolve(io.cwd, name), join(folder, name)].find((one) => existsSync(join(one, "manifest.json")));
  if (path === undefined)
    throw new ParleyError(
      "bad_input",
      `no study "${name}" has run here${suggestName(name, listStoredStudies(folder))}; start one with: parley study run FILE.yaml`,
    );
  return { path, ...readStudyFolder(path) };
}

/** `parley study list`: what ran here, and what comes with Parley. */
export function listStudies(io: Io, options: StudiesOptions): void {
  const folder = locateStudies(io, options);
  const ran = listStoredStudies(folder).map((name) => {
    const { manifest, scorecards } = readStudyFolder(join(folder, name));
    const { arms, dataset, seeds, pack } = manifest;
    const planned = arms.length * dataset.cases * seeds.length;
    const size = `${dataset.cases} cases × ${arms.length} arms`;
    return [name, pack, size, `${scorecards.length} of ${planned} runs`, join(folder, name)];
  });
  const bundled = bundledStudies().map((name) => {
    const { pack, about } = readStudy(findStudyFile(name, "/"));
    return [name, pack, about ?? ""];
  });
  io.out(ran.length === 0 ? "No study has run here yet.\n" : `Ran here:\n${indentTable(ran)}`);
  io.out(`\nCome with Parley (parley study run NAME):\n${indentTable(bundled)}`);
}

function indentTable(rows: string[][]): string {
  return formatTable(rows)
    .map((line) => `  ${line}\n`)
    .join("");
}

/** `parley study report NAME`: writes the reports again from what is on disk. */
export async function reportStudy(io: Io, name: string, options: StudiesOptions): Promise<void> {
  const study = openStudy(io, options, name);
  const pack = await loadPack(study.manifest.pack);
  printStudy(io, await writeReports(study.path, study, pack));
}

/** What a study is going to do, and what it can find at all; said before it runs. */
function formatPlan(manifest: StudyManifest, { total, done }: { total: number; done: number }): string {
  const { dataset, arms, seeds } = manifest;
  const names = arms.map((arm) => arm.name).join(", ");
  const sizes = `${formatCount(dataset.cases, "case")} × ${formatCount(arms.length, "arm")} (${names}) × ${formatCount(seeds.length, "seed")} = ${formatCount(total, "run")}`;
  const power = formatPower(dataset.with_gold);
  const lines = [sizes, done > 0 ? `${countText(done)} of them are done already.` : "", power];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

const differing = 0.1;

/** What so many cases can show at all, when two arms differ on a tenth of them. */
function formatPower(cases: number): string {
  if (cases === 0) return "No case has gold: only costs can be compared.";
  // 2.8 standard errors are found four times in five at the 5 % level.
  const difference = 2.8 * Math.sqrt(differing / cases);
  if (difference > differing)
    return `With ${formatCount(cases, "case")} no difference can be found reliably: look at single cases, not at the scores.`;
  const points = formatPoints(difference).replace("+", "");
  return `With ${countText(cases)} cases a difference of ${points} points can be found if two arms differ on a tenth of them (5 % two-sided, power 80 %).`;
}

/** One line of progress: done, rate, time left, spend. */
export function formatProgress(progress: StudyProgress, elapsedMs: number): string {
  const { done, before, total, failed, tokens, costUsd } = progress;
  const rate = (done - before) / Math.max(0.001, elapsedMs / 1000);
  const left = rate > 0 ? formatDuration(((total - done) / rate) * 1000) : "?";
  const spend =
    tokens > 0 ? ` · ${formatShortCount(tokens)} tokens${costUsd === null ? "" : ` · ${formatUsd(costUsd)}`}` : "";
  return `${done}/${total} runs · ${rate.toFixed(1)}/s · ${left} left${spend}${failed > 0 ? ` · ${failed} failed` : ""}`;
}

/** What a study came to: the verdict, every arm on a line, and where the reports are. */
function printStudy(io: Io, { summary, html, markdown }: WrittenReports): void {
  const { about } = summary.manifest;
  if (about !== null) io.painted(`${wrap(about, io.width).join("\n")}\n\n`);
  io.painted(renderTerminal(buildOverviewSections(summary), io));
  io.out(`\n${html}\n${markdown}\n`);
}
