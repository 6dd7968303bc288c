import { Command } from "commander";
import {
  findLogEnd,
  type ParsedLog,
  type ParseOptions,
  parseLogs,
  readTimePoint,
  resolveWindow,
  type TimePoint,
} from "../knowledge/logs/index.ts";
import { cutText } from "../text/format.ts";
import type { Io } from "./io.ts";
import { collect, parseCount, rareOption } from "./options.ts";

type Options = LogOptions & { json?: boolean; tokens?: number };

/** `parley rca parse LOGS…`: takes logs apart without a debate. */
export function createParseCommand(io: Io): Command {
  const parse = new Command("parse")
    .description("Parses logs into events and templates, in one pass and bounded memory.")
    .argument("<logs...>", "files, folders, globs, or - for standard input; gzip is unpacked");
  return withLogOptions(parse)
    .option("--json", "print the parsed log as JSON")
    .option("--tokens <number>", "how many tokens the kept events may take (default: 6000)", parseCount)
    .addHelpText("after", examples)
    .action(async (inputs: string[], options: Options) => {
      const settings = { ...(await readLogOptions(io, inputs, options)), budgetTokens: options.tokens };
      const log = await parseLogs(inputs, settings);
      sayProblems(io, log);
      io.out(options.json ? `${JSON.stringify(log)}\n` : renderLog(log, io.width));
    });
}

const mostRows = 40;

/** The parsed log as text for a terminal: totals, templates, errors, numbers and the timeline. */
function renderLog(log: ParsedLog, width: number): string {
  const { totals, sources } = log;
  const formats = [...new Set(sources.flatMap(({ format }) => format ?? []))].join(", ");
  const files = `${totals.files} ${totals.files === 1 ? "file" : "files"} (${formats})`;
  const sections: [string, string[]][] = [
    ["", [`${totals.lines} lines of ${files}: ${totals.events} events, ${totals.templates} templates`]],
    [
      "Templates",
      log.templates.map(
        ({ count, level, template, change, reference_count }) =>
          `${String(count).padStart(8)}  ${(level ?? "-").padEnd(5)}  ${template}${change === null || change === "same" ? "" : ` [${change}: ${reference_count} before]`}`,
      ),
    ],
    [
      "Errors",
      log.error_messages.map(
        ({ count, error_type, file, line, message }) =>
          `${String(count).padStart(8)}  ${error_type}  ${namePlace(log, { file, line })}  ${message}`,
      ),
    ],
    [
      "Numbers",
      log.findings.map(({ from, component, description }) => `${printTime(from)}  ${component ?? "-"}: ${description}`),
    ],
    [
      "Timeline",
      log.timeline.map(
        ({ timestamp, kind, file, line, description }) =>
          `${printTime(timestamp)}  ${kind.padEnd(12)}  ${namePlace(log, { file, line })}  ${description}`,
      ),
    ],
  ];
  const texts = sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => {
      const shown = rows.slice(0, mostRows).map((row) => cutText(row.replaceAll(/\s*\n\s*/g, " "), width));
      const more = rows.length > mostRows ? [`… and ${rows.length - mostRows} more`] : [];
      return [...(title === "" ? [] : [title]), ...shown, ...more].join("\n");
    });
  return `${texts.join("\n\n")}\n`;
}

/** Where something stands; the file is left out when there is only one. */
function namePlace({ sources }: ParsedLog, { file, line }: { file: string | null; line: number }): string {
  return sources.length > 1 ? `${file ?? "-"}:${line}` : `line ${line}`;
}

function printTime(time: number | null): string {
  return time === null ? "-".padEnd(23) : new Date(time).toISOString().slice(0, 23).replace("T", " ");
}

const examples = `
Examples:
  parley rca parse app.log
  parley rca parse logs/ --since 2024-03-01T10:00 --until 2024-03-01T11:00
  parley rca parse today.log.gz --reference yesterday.log.gz
  kubectl logs deploy/api --prefix --timestamps | parley rca parse - --json`;

/** The options of every command that reads logs. */
export type LogOptions = {
  format?: string;
  since?: TimePoint;
  until?: TimePoint;
  reference: string[];
  topology?: string;
};

/** Adds the options that say which lines are read, and how. */
export function withLogOptions(command: Command): Command {
  return command
    .option("--since <time>", "only events from this time on: 2024-05-14T09:30, or 09:30", readTimePoint)
    .option("--until <time>", "only events up to this time", readTimePoint)
    .option("--reference <logs>", "logs of a healthy period to compare with; can be repeated", collect, [])
    .addOption(rareOption("--format <name>", "layout of the lines (default: guessed)"))
    .addOption(rareOption("--topology <file>", "who calls whom, as YAML or JSON: `orders: [stock, payment]`"));
}

/** Turns the options into reader settings. A time of day means the last day of the logs, or today for a stream. */
export async function readLogOptions(io: Io, inputs: readonly string[], options: LogOptions): Promise<ParseOptions> {
  const { since, until, topology, reference } = options;
  const files = inputs.filter((input) => input !== "-");
  const hasClock = [since, until].some((point) => point?.kind === "clock");
  const endMs = hasClock && files.length > 0 ? await findLogEnd(files, io.cwd) : null;
  return {
    ...resolveWindow({ since, until }, endMs ?? Date.now()),
    format: options.format,
    nowMs: Date.now(),
    stdin: io.stdin,
    signal: io.signal,
    cwd: io.cwd,
    ...(topology !== undefined && { topology }),
    ...(reference.length > 0 && { reference }),
  };
}

/** What was wrong with the sources of a log goes to stderr; the log is read nevertheless. */
export function sayProblems(io: Io, { sources }: Pick<ParsedLog, "sources">): void {
  for (const { name, problems } of sources) for (const problem of problems) io.err(`parley: ${name}: ${problem}\n`);
}
