import { ParleyError } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { type OpenAside, openAside } from "../../runs/aside/open-aside.ts";
import { namesOnlyExperts } from "../../runs/start/hold-back.ts";
import { isTelemetryConfigured } from "../terminal/followers.ts";
import type { Io } from "../terminal/io.ts";

type JobsOptions = { jobs?: number; fleet?: boolean };

/**
 * The threads of `--jobs`; none when it is not given. Of several casts, the arms of a study, those of programs go to the
 * threads, and it is said of the others that they do not.
 */
export function openJobs(io: Io, options: JobsOptions, pack: AnyPack, casts: readonly string[]): OpenAside | undefined {
  if (!areWanted(options)) return undefined;
  const others = [...new Set(casts)].filter((cast) => !namesOnlyExperts(cast));
  if (casts.every((cast) => others.includes(cast))) throw createNoProgramsError(options, others);
  if (others.length > 0) io.err(`parley: --jobs: threads play only the arms of programs, not ${others.join(" or ")}\n`);
  if (isTelemetryConfigured(io.env)) io.err("parley: --jobs: the collector is not told what the threads play\n");
  return openAside(pack, options.jobs ?? 1, io.signal);
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

/** How many runs are begun at once, so that every thread has one to play and one to come. */
export function widen(concurrency: number, jobs = 1): number {
  return jobs === 1 ? concurrency : Math.max(concurrency, jobs * 2);
}
