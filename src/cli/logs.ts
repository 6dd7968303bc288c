import { Command, InvalidArgumentError } from "commander";
import { ParleyError } from "../contract/error.ts";
import {
  formatNames,
  type LogPart,
  logParts,
  type ParsedLog,
  parseLogs,
  showParsedLog,
  showPart,
  writeTemplateCsv,
  findLogEnd,
  type ParseOptions,
  readTimePoint,
  resolveWindow,
  type TimePoint,
} from "../knowledge/logs/index.ts";
import { durationMs } from "../text/duration.ts";
import { type Io, throwIfStopped } from "./io.ts";
import { collect, parseCount, rareOption } from "./options.ts";

type Options = LogOptions & { json?: boolean; csv?: boolean; tokens?: number; top: number };

const logsArgument = "files, folders, globs, or - for standard input; gzip is unpacked";

/** What takes logs apart without a debate: `parley rca parse|templates|errors|timeline FILE…`, `parley rca formats` */
export function createLogCommands(io: Io): Command[] {
  return [createParseCommand(io), ...logParts.map((part) => createPartCommand(io, part)), createFormatsCommand(io)];
}

function createParseCommand(io: Io): Command {
  const parse = new Command("parse")
    .description("Takes logs apart into events and templates, in one pass and bounded memory.")
    .argument("<logs...>", logsArgument);
  return withLogOptions(parse)
    .option("--json", "print the parsed log as JSON")
    .option("--csv", "print one row for each event: LineId, EventId, EventTemplate, Content")
    .option("--tokens <number>", "how many tokens the kept events may take (default: 6000)", parseCount)
    .option("--top <number>", "how many templates to list", parseCount, 40)
    .addHelpText("after", examples)
    .action(async (inputs: string[], options: Options) => parseAll(io, inputs, options));
}

function createFormatsCommand(io: Io): Command {
  return new Command("formats")
    .description("Lists the layouts of logs that are recognised.")
    .action(() => io.out(`${formatNames.map(({ name, about }) => `${name.padEnd(14)} ${about}`).join("\n")}\n`));
}

const about: Record<LogPart, string> = {
  templates: "Lists the templates of the messages, with those that a reference has not",
  errors: "Lists the kinds of errors, each with its first line",
  timeline: "Tells what happened when: the first error, bursts, gaps, rates that changed, calls",
};

const takePart: Record<LogPart, (log: ParsedLog) => unknown> = {
  templates: (log) => log.templates,
  errors: (log) => log.error_messages,
  timeline: ({ timeline, findings, hops }) => ({ timeline, findings, hops }),
};

function createPartCommand(io: Io, part: LogPart): Command {
  const command = new Command(part).description(about[part]).argument("<logs...>", logsArgument);
  return withLogOptions(command)
    .option("--json", "print it as JSON")
    .option("--top <number>", "how many templates to list", parseCount, 40)
    .action(async (inputs: string[], options: Options) => {
      const log = await parseLogs(inputs, await readLogOptions(io, inputs, options));
      sayProblems(io, log);
      const shown = () => showPart(log, part, { width: io.width, templates: options.top });
      io.out(options.json ? `${JSON.stringify(takePart[part](log))}\n` : shown());
    });
}

async function parseAll(io: Io, inputs: string[], options: Options): Promise<void> {
  const settings = { ...(await readLogOptions(io, inputs, options)), budgetTokens: options.tokens };
  const log = options.csv
    ? await writeTemplateCsv(inputs, settings, writeRowsTo(io))
    : await parseLogs(inputs, settings);
  sayProblems(io, log);
  if (options.csv) return;
  io.out(options.json ? `${JSON.stringify(log)}\n` : showParsedLog(log, { width: io.width, templates: options.top }));
}

/** Rows are all that is made here: the work goes no faster than its reader, and without one it stops. */
function writeRowsTo(io: Io): (rows: string) => Promise<void> {
  return async (rows) => {
    io.out(rows);
    await io.drained();
    throwIfStopped(io);
  };
}

const examples = `
Examples:
  parley rca parse app.log
  parley rca parse logs/ --since 2024-03-01T10:00 --until 2024-03-01T11:00
  parley rca timeline app.log --around 09:04 --within 2m
  parley rca parse today.log.gz --reference yesterday.log.gz
  parley rca parse app.log --csv > templates.csv
  kubectl logs deploy/api --prefix --timestamps | parley rca errors -`;

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
    .option("--since <time>", 'only events from this time on: 2024-05-14T09:30, 09:30, "10 minutes ago"', readTimePoint)
    .option("--until <time>", "only events up to this time", readTimePoint)
    .option("--around <time>", "only events around this time", readTimePoint)
    .option("--within <duration>", "how far around (default: 5m)", readDuration)
    .option("--reference <logs>", "logs of a healthy period to compare with; can be repeated", collect, [])
    .addOption(rareOption("--format <name>", "layout of the lines (default: guessed; see parley rca formats)"))
    .addOption(rareOption("--topology <file>", "who calls whom, as YAML or JSON: `orders: [stock, payment]`"));
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

/** What was wrong with the sources of a log goes to stderr; the log is read nevertheless. */
export function sayProblems(io: Io, { sources }: Pick<ParsedLog, "sources">): void {
  for (const { name, problems } of sources) for (const problem of problems) io.err(`parley: ${name}: ${problem}\n`);
}
