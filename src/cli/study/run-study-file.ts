import { dirname, join, resolve } from "node:path";
import { hasCode } from "../../contract/error.ts";
import type { Budget } from "../../contract/budget.ts";
import { loadPack } from "../../packs/registry.ts";
import { formatCount } from "../../text/number-text.ts";
import { writeReports } from "../../studies/report/write-reports.ts";
import { runStudy } from "../../studies/run/run-study.ts";
import { findStudyFile } from "../../studies/study-file/find-study.ts";
import { readStudy } from "../../studies/study-file/read-study.ts";
import type { Study } from "../../studies/study-file/study-schema.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { sumEstimates } from "../../runs/estimate/estimate-run.ts";
import { formatEstimate } from "../../runs/estimate/estimate-text.ts";
import type { UserConfig } from "../../runs/settings/user-config.ts";
import { estimateStudy } from "../../studies/run/estimate-study.ts";
import { pickCastOptions } from "../run/dry-run.ts";
import type { Io } from "../terminal/io.ts";
import { createProgress } from "../terminal/progress.ts";
import { openWorkers } from "../fleet/open-fleet.ts";
import { adviseAgain } from "../run/run-file.ts";
import { readCertified } from "../setting/certified.ts";
import type { PromiseOptions } from "../setting/options.ts";
import { openStore, makeRunSetting, locateStore, loadUserConfig } from "../setting/setting.ts";
import { formatPlan, formatProgress, printStudy } from "./study-text.ts";

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
  fresh?: boolean;
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
      atOnce: study.concurrency,
      retryFailed: options.retryFailed,
      fresh: options.fresh,
      onPlanned: (manifest, jobs) => options.quiet || io.err(formatPlan(manifest, jobs)),
      onProgress: (now) => progress.line(formatProgress(now, performance.now() - startedMs)),
    });
    progress.clear();
    const reports = writeReports(out, done, pack);
    const failed = done.scorecards.filter((card) => card.outcome === "failed").length;
    if (options.json)
      io.out(
        `${JSON.stringify({ out, report: reports.html, missing: done.missing, failed, verdict: reports.summary.verdict })}\n`,
      );
    else printStudy(io, reports);
    if (done.exhausted)
      io.err("The study's budget is used up. With a larger one, the same command adds what is missing.\n");
    if (done.waiting > 0)
      io.err(
        `${formatCount(done.waiting, "run waits", "runs wait")} for a person: answer with parley review, then run the same command again.\n`,
      );
    io.exit.code = done.exhausted ? 4 : failed > 0 ? 1 : done.waiting > 0 ? 3 : 0;
  } catch (error) {
    progress.clear();
    if (hasCode(error, "interrupted")) {
      io.err("Stopped. What is done is kept: run the same command again to go on.\n");
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
        : { ...own, path: resolve(io.cwd, dataset), format, map: format === undefined ? own.map : undefined },
    ...(cast === undefined ? {} : { cast }),
    ...(seeds === undefined ? {} : { seeds }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(budget === undefined ? {} : { budget }),
  };
}
