import { Command } from "commander";
import {
  formatNames,
  type LogPart,
  logParts,
  type ParsedLog,
  parseLogs,
  showParsedLog,
  showPart,
  writeTemplateCsv,
} from "../../knowledge/logs/index.ts";
import { throwIfStopped, type Io } from "../terminal/io.ts";
import { parseCount } from "../setting/options.ts";
import { type LogOptions, readLogOptions, withLogOptions } from "../logs/log-options.ts";
import { sayProblems } from "../logs/say-problems.ts";

type Options = LogOptions & { json?: boolean; csv?: boolean; tokens?: number; top: number };

const logsArgument = "files, folders, globs, or - for standard input; gzip is unpacked";

/** `parley logs parse FILE…`, `parley logs templates|errors|timeline FILE…`, `parley logs formats` */
export function command(io: Io): Command {
  const logs = new Command("logs").description("Reads logs: layouts, templates, errors and what happened when.");
  const parse = logs
    .command("parse")
    .description("Takes logs apart into events and templates, in one pass and bounded memory.")
    .argument("<logs...>", logsArgument);
  withLogOptions(parse)
    .option("--json", "print the parsed log as JSON")
    .option("--csv", "print one row for each event: LineId, EventId, EventTemplate, Content")
    .option("--tokens <number>", "how many tokens the kept events may take (default: 6000)", parseCount)
    .option("--top <number>", "how many templates to list", parseCount, 40)
    .addHelpText("after", examples)
    .action(async (inputs: string[], options: Options) => parseAll(io, inputs, options));
  for (const part of logParts) addPart(io, logs, part);
  logs
    .command("formats")
    .description("lists the layouts that are recognised")
    .action(() => io.out(`${formatNames.map(({ name, about }) => `${name.padEnd(14)} ${about}`).join("\n")}\n`));
  return logs;
}

const about: Record<LogPart, string> = {
  templates: "lists the templates of the messages, with those that a reference has not",
  errors: "lists the kinds of errors, each with its first line",
  timeline: "tells what happened when: the first error, bursts, gaps, numbers that changed, calls",
};

const takePart: Record<LogPart, (log: ParsedLog) => unknown> = {
  templates: (log) => log.templates,
  errors: (log) => log.error_messages,
  timeline: ({ timeline, findings, hops }) => ({ timeline, findings, hops }),
};

function addPart(io: Io, logs: Command, part: LogPart): void {
  const command = logs.command(part).description(about[part]).argument("<logs...>", logsArgument);
  withLogOptions(command)
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
  parley logs parse app.log
  parley logs parse logs/ --since 2024-03-01T10:00 --until 2024-03-01T11:00
  parley logs timeline app.log --around 09:04 --within 2m
  parley logs parse today.log.gz --reference yesterday.log.gz
  parley logs parse app.log --csv > templates.csv
  kubectl logs deploy/api --prefix --timestamps | parley logs errors -`;
