import { ParleyError } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { type OpenAside, openAside } from "../../runs/aside/open-aside.ts";
import { isPlayedByPrograms } from "../../runs/start/played-by-programs.ts";
import { checkValue } from "../../runs/settings/read-settings.ts";
import { isTelemetryConfigured } from "../terminal/followers.ts";
import type { Io } from "../terminal/io.ts";

type JobsOptions = { jobs?: number; fleet?: boolean };

/** The threads of `--jobs` for cases that are all run alike; none when it is not given. */
export function openJobs(
  io: Io,
  options: JobsOptions,
  pack: AnyPack,
  request: { cast: string; config?: unknown },
): OpenAside | undefined {
  if (!areWanted(options)) return undefined;
  const config = checkValue(pack.config, request.config ?? {}, `config of the ${pack.name} pack`, "bad_config");
  if (!isPlayedByPrograms(pack, { cast: request.cast, config })) throw createNoProgramsError(options, [request.cast]);
  return openThreads(io, options, pack);
}

/** As `openJobs`, for the arms of a study: those that programs play go to the threads, and it is said of the others that they do not. */
export function openStudyJobs(
  io: Io,
  options: JobsOptions,
  pack: AnyPack,
  casts: readonly string[],
): OpenAside | undefined {
  if (!areWanted(options)) return undefined;
  const others = [...new Set(casts)].filter((cast) => cast.trim() !== "expert");
  if (others.length > 0 && casts.every((cast) => others.includes(cast))) throw createNoProgramsError(options, others);
  if (others.length > 0) io.err(`parley: --jobs: threads play only the arms of programs, not ${others.join(" or ")}\n`);
  return openThreads(io, options, pack);
}

function areWanted({ jobs = 1, fleet }: JobsOptions): boolean {
  if (jobs > 1 && fleet)
    throw new ParleyError(
      "bad_input",
      "--jobs is for runs that are played here, and --fleet has them played elsewhere; give one of them",
    );
  return jobs > 1;
}

/** Where a model or a person plays, threads gain nothing. */
function createNoProgramsError({ jobs }: JobsOptions, casts: readonly string[]): ParleyError {
  return new ParleyError(
    "bad_input",
    `--jobs ${jobs} is for debates in which programs play every role, and the cast is ${casts.join(" or ")}; models are asked many at once with --concurrency`,
  );
}

function openThreads(io: Io, { jobs = 1 }: JobsOptions, pack: AnyPack): OpenAside {
  if (isTelemetryConfigured(io.env)) io.err("parley: --jobs: the collector is not told what the threads play\n");
  return openAside(pack, jobs, io.signal);
}

/** How many runs are begun at once, so that every thread has one to play and one to come. */
export function widen(concurrency: number, jobs = 1): number {
  return jobs === 1 ? concurrency : Math.max(concurrency, jobs * 2);
}
