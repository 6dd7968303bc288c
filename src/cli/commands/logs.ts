import { Command } from "commander";
import {
  formatNames,
  type ParseOptions,
  parseLogs,
  readTimeOption,
  showParsedLog,
  writeTemplateCsv,
} from "../../knowledge/logs/index.ts";
import { throwIfStopped, type Io } from "../terminal/io.ts";
import { collect, parseCount } from "../setting/options.ts";
import { sayProblems } from "../logs/say-problems.ts";

type Options = {
  format?: string;
  since?: number;
  until?: number;
  reference: string[];
  json?: boolean;
  csv?: boolean;
  tokens?: number;
  top: number;
};

/** `parley logs parse FILE…`, `parley logs formats` */
export function command(io: Io): Command {
  const logs = new Command("logs").description("Reads logs: layouts, templates, errors and what happened when.");
  logs
    .command("parse")
    .description("Takes logs apart into events and templates, in one pass and bounded memory.")
    .argument("<logs...>", "files, folders, globs, or - for standard input; gzip is unpacked")
    .option("--format <name>", "the layout of the lines (default: guessed; see parley logs formats)")
    .option("--since <time>", "only events from this time on, e.g. 2024-03-01T10:30", readTimeOption)
    .option("--until <time>", "only events up to this time", readTimeOption)
    .option("--reference <logs>", "logs of a healthy period to compare with; can be repeated", collect, [])
    .option("--json", "print the parsed log as JSON")
    .option("--csv", "print one row for each event: LineId, EventId, EventTemplate, Content")
    .option("--tokens <number>", "how many tokens the kept events may take (default: 6000)", parseCount)
    .option("--top <number>", "how many templates to list", parseCount, 40)
    .addHelpText("after", examples)
    .action(async (inputs: string[], options: Options) => parse(io, inputs, options));
  logs
    .command("formats")
    .description("lists the layouts that are recognised")
    .action(() => io.out(`${formatNames.map(({ name, about }) => `${name.padEnd(14)} ${about}`).join("\n")}\n`));
  return logs;
}

async function parse(io: Io, inputs: string[], options: Options): Promise<void> {
  const settings: ParseOptions = {
    format: options.format,
    sinceMs: options.since,
    untilMs: options.until,
    budgetTokens: options.tokens,
    nowMs: Date.now(),
    stdin: io.stdin,
    signal: io.signal,
    cwd: io.cwd,
    ...(options.reference.length > 0 ? { reference: options.reference } : {}),
  };
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
  parley logs parse app.log
  parley logs parse logs/ --since 2024-03-01T10:00 --until 2024-03-01T11:00
  parley logs parse today.log.gz --reference yesterday.log.gz
  parley logs parse app.log --csv > templates.csv
  kubectl logs deploy/api | parley logs parse - --json`;
