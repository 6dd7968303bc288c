import { ParleyError } from "../../contract/error.ts";
import { type Command, InvalidArgumentError } from "commander";
import {
  findLogEnd,
  type ParseOptions,
  readTimePoint,
  resolveWindow,
  type TimePoint,
} from "../../knowledge/logs/index.ts";
import { durationMs } from "../../text/duration.ts";
import { collect } from "../setting/options.ts";
import type { Io } from "../terminal/io.ts";

/** The options of every command that reads logs. */
export type LogOptions = {
  format?: string;
  since?: TimePoint;
  until?: TimePoint;
  around?: TimePoint;
  within?: number;
  reference: string[];
  topology?: string;
};

/** Adds the options that say which lines are read, and how. */
export function withLogOptions(command: Command): Command {
  return command
    .option("--format <name>", "layout of the lines (default: guessed; see parley logs formats)")
    .option("--since <time>", 'only events from this time on: 2024-05-14T09:30, 09:30, "10 minutes ago"', readTimePoint)
    .option("--until <time>", "only events up to this time", readTimePoint)
    .option("--around <time>", "only events around this time", readTimePoint)
    .option("--within <duration>", "how far around (default: 5m)", readDuration)
    .option("--reference <logs>", "logs of a healthy period to compare with; can be repeated", collect, [])
    .option("--topology <file>", "who calls whom, as YAML or JSON: `orders: [stock, payment]`");
}

function readDuration(text: string): number {
  const ms = durationMs(text.trim());
  if (ms === null || ms <= 0) throw new InvalidArgumentError(`"${text}" is not a duration: write e.g. 30s, 5m or 2h.`);
  return ms;
}

/** What the options mean for the reading; times of day are of the last day of the logs, of a stream of its first. */
export async function readLogOptions(io: Io, inputs: readonly string[], options: LogOptions): Promise<ParseOptions> {
  return {
    ...(await readWindow(io, inputs, options)),
    format: options.format,
    nowMs: Date.now(),
    stdin: io.stdin,
    signal: io.signal,
    cwd: io.cwd,
    ...(options.topology !== undefined && { topology: options.topology }),
    ...(options.reference.length > 0 && { reference: options.reference }),
  };
}

const dayMs = 86_400_000;

async function readWindow(
  io: Io,
  inputs: readonly string[],
  { since, until, around, within }: LogOptions,
): Promise<Pick<ParseOptions, "sinceMs" | "untilMs" | "windowFrom">> {
  const named = { since, until, around, withinMs: within };
  if (since?.kind === "moment" && until?.kind === "moment" && since.ms > until.ms)
    throw new ParleyError("bad_input", "--since is after --until: no event is in between");
  const kinds = [since, until, around].map((point) => point?.kind);
  const nowMs = Date.now();
  if (!kinds.includes("clock") && !kinds.includes("before end")) return resolveWindow(named, { nowMs, endMs: null });
  const files = inputs.filter((input) => input !== "-");
  if (files.length > 0) return resolveWindow(named, { nowMs, endMs: await findLogEnd(files, io.cwd) });
  if (kinds.includes("before end")) {
    throw new ParleyError("bad_input", "the end of standard input is not known beforehand: give a time, or a file");
  }
  return {
    windowFrom: (firstMs) => resolveWindow(named, { nowMs, endMs: (Math.floor(firstMs / dayMs) + 1) * dayMs - 1 }),
  };
}
