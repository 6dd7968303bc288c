import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { incidentsFileOf, readProjectIncidents } from "../knowledge/incidents/index.ts";
import { findLogEnd, type ParsedLog, type ParseOptions, parseLogs, TimestampReader } from "../knowledge/logs/index.ts";
import { rootCause } from "../packs/root-cause/pack.ts";
import { cutText, formatCount } from "../text/format.ts";
import { defineCommand, flag, type Given, list, parsed, rare, text } from "./command.ts";
import type { Io } from "./io.ts";
import { promiseOptions, runOptions } from "./options.ts";
import { createProgress } from "./progress.ts";
import { runCase } from "./run-case.ts";
import { locateStore } from "./stores.ts";

export const logOptions = {
  since: parsed("<time>", "only events from this time on: 2024-05-14T09:30, or 09:30", readTime),
  until: parsed("<time>", "only events up to this time", readTime),
  reference: list("<logs>", "logs of a healthy period to compare with; can be repeated"),
  format: rare(text("<name>", "layout of the lines (default: guessed)")),
};

/** Tokens of relevant events kept for reasoners; model prompts hold `log_tokens` of them. */
const keptTokens = 40_000;

export function command(io: Io): Command {
  return defineCommand({
    name: "rca",
    arguments: { "<logs...>": "files, folders, globs, .gz, or - for standard input" },
    options: { ...logOptions, ...runOptions, ...promiseOptions },
    commands: [parseCommand(io)],
    async action(options, logs: string[]) {
      const progress = createProgress(io, options.quiet);
      const log = await parseLogs(logs, {
        ...(await readLogOptions(io, logs, options)),
        budgetTokens: keptTokens,
        onProgress: (events, share) => {
          const done = share === null ? "" : ` · ${Math.floor(100 * share)} %`;
          progress.line(`reading · ${events.toLocaleString("en")} events${done}`);
        },
      });
      progress.clear();
      sayProblems(io, log);
      const incidents = readProjectIncidents(incidentsFileOf(locateStore(io, options)));
      await runCase(io, options, rootCause, { ...log, incidents });
    },
  });
}

function parseCommand(io: Io): Command {
  return defineCommand({
    name: "parse",
    arguments: { "<logs...>": "files, folders, globs, or - for standard input; gzip is unpacked" },
    options: { ...logOptions, json: flag("print the parsed log as JSON") },
    async action({ json, ...options }, logs: string[]) {
      const log = await parseLogs(logs, await readLogOptions(io, logs, options));
      sayProblems(io, log);
      if (json) io.jsonLines([log]);
      else io.out(renderLog(log, io.width));
    },
  });
}

const dayMs = 86_400_000;

/** Builds reader settings from options. A time of day is the last one before the end of the logs, or before now for a stream. */
export async function readLogOptions(
  io: Io,
  inputs: readonly string[],
  { since, until, format, reference }: Given<typeof logOptions>,
): Promise<ParseOptions> {
  const isClock = (ms: number | undefined) => ms !== undefined && ms < dayMs;
  const files = inputs.filter((input) => input !== "-");
  const found = (isClock(since) || isClock(until)) && files.length > 0 ? await findLogEnd(files, io.cwd) : null;
  const endMs = found ?? Date.now();
  const place = (ms: number | undefined) => (ms !== undefined && ms < dayMs ? endMs - ((endMs - ms) % dayMs) : ms);
  const [sinceMs, last] = [place(since), place(until)];
  const isNextDay = isClock(until) && last !== undefined && sinceMs !== undefined && last < sinceMs;
  const untilMs = isNextDay ? last + dayMs : last;
  if (sinceMs !== undefined && untilMs !== undefined && untilMs < sinceMs)
    throw new ParleyError("bad_input", "--until is before --since: no event is in between");
  return {
    ...(sinceMs !== undefined && { sinceMs }),
    ...(untilMs !== undefined && { untilMs }),
    format,
    nowMs: Date.now(),
    stdin: io.stdin,
    signal: io.signal,
    cwd: io.cwd,
    ...(reference.length > 0 && { reference }),
  };
}

const moment =
  /^(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?|(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)$/;

/** A time of the log, in UTC where it names no zone; a time of day as milliseconds since midnight. */
function readTime(text: string): number {
  const ms = moment.test(text.trim()) ? new TimestampReader(0).read(text.trim()) : null;
  if (ms !== null) return ms;
  throw new ParleyError("bad_input", `"${text}" is not a time: write e.g. 2024-03-01T10:30:00, or 10:30`);
}

function sayProblems(io: Io, { sources }: ParsedLog): void {
  for (const { name, problems } of sources) for (const problem of problems) io.err(`parley: ${name}: ${problem}\n`);
}

const mostRows = 40;

function renderLog(log: ParsedLog, width: number): string {
  const { totals, sources } = log;
  const formats = [...new Set(sources.flatMap(({ format }) => format ?? []))].join(", ");
  const place = (file: string | null, line: number) => (sources.length > 1 ? `${file ?? "-"}:${line}` : `line ${line}`);
  const files = `${formatCount(totals.files, "file")} (${formats})`;
  const lists: Record<string, string[]> = {
    Templates: log.templates.map(({ count, level, template, change, reference_count }) => {
      const compared = change === null || change === "same" ? "" : ` [${change}: ${reference_count} before]`;
      return `${String(count).padStart(8)}  ${(level ?? "-").padEnd(5)}  ${template}${compared}`;
    }),
    Errors: log.error_messages.map(
      ({ count, error_type, file, line, message }) =>
        `${String(count).padStart(8)}  ${error_type}  ${place(file, line)}  ${message}`,
    ),
    Numbers: log.findings.map(
      ({ from, component, description }) => `${formatTime(from)}  ${component ?? "-"}: ${description}`,
    ),
    Timeline: log.timeline.map(
      ({ timestamp, kind, file, line, description }) =>
        `${formatTime(timestamp)}  ${kind.padEnd(12)}  ${place(file, line)}  ${description}`,
    ),
  };
  const head = `${totals.lines} lines of ${files}: ${totals.events} events, ${totals.templates} templates\n`;
  const parts = Object.entries(lists).map(([title, rows]) => {
    if (rows.length === 0) return "";
    const shown = rows.slice(0, mostRows).map((row) => cutText(row.replaceAll(/\s*\n\s*/g, " "), width));
    if (rows.length > mostRows) shown.push(`… and ${rows.length - mostRows} more`);
    return `\n${[title, ...shown].join("\n")}\n`;
  });
  return cutText(head, width + 1) + parts.join("");
}

function formatTime(time: number | null): string {
  return time === null ? "-".padEnd(23) : new Date(time).toISOString().slice(0, 23).replace("T", " ");
}
