import { Command } from "commander";
import { resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { incidentsFileOf, readProjectIncidents } from "../knowledge/incidents/index.ts";
import {
  type ParsedLog,
  parseLogs,
  type FollowedLines,
  followFile,
  LineBuffer,
  parseLines,
  readTopology,
  watchIncidents,
} from "../knowledge/logs/index.ts";
import { rootCause } from "../packs/root-cause/pack.ts";
import type { Io } from "./io.ts";
import { type LogOptions, createLogCommands, readLogOptions, sayProblems, withLogOptions } from "./logs.ts";
import { type RunOptions, parseCount, rareOption, withPromiseOptions, withRunOptions } from "./options.ts";
import { createProgress } from "./progress.ts";
import { runCase } from "./run-case.ts";
import { locateStore } from "./stores.ts";

type RcaOptions = RunOptions & LogOptions & FollowOptions;

/** How many tokens of telling events the reasoners can work from; the prompts of models hold `log_tokens` of them. */
const keptTokens = 40_000;

/** `parley rca LOGS…`, and `rca parse`, `rca templates`, `rca errors`, `rca timeline`, `rca formats` */
export function command(io: Io): Command {
  const rca = new Command("rca")
    .description("Finds the root cause of an incident in logs: three reasoners and a judge, with cited lines.")
    .argument("<logs...>", "files, folders, globs, .gz, or - for standard input")
    .option("--follow", "watch one log and debate each time that errors burst, until interrupted")
    .addOption(
      rareOption("--incidents <number>", "with --follow: stop after this many (default: 10)").argParser(parseCount),
    );
  for (const part of createLogCommands(io)) rca.addCommand(part);
  return withPromiseOptions(withRunOptions(withLogOptions(rca)))
    .addHelpText("after", examples)
    .action(async (logs: string[], options: RcaOptions) => {
      if (options.follow) return followIncidents(io, logs, options, (log) => debate(io, log, options));
      await debate(io, await readLogs(io, logs, options), options);
    });
}

async function debate(io: Io, log: ParsedLog, options: RcaOptions): Promise<void> {
  const incidents = readProjectIncidents(incidentsFileOf(locateStore(io, options)));
  await runCase(io, options, rootCause, { ...log, incidents });
}

async function readLogs(io: Io, logs: string[], options: RcaOptions): Promise<ParsedLog> {
  const progress = createProgress(io, options.quiet);
  let events = 0;
  const log = await parseLogs(logs, {
    ...(await readLogOptions(io, logs, options)),
    budgetTokens: keptTokens,
    onEvent: () => {
      events += 1;
      if (events % 1000 === 0) progress.line(`reading · ${events.toLocaleString("en")} events`);
    },
  });
  progress.clear();
  sayProblems(io, log);
  return log;
}

const examples = `
Examples:
  parley rca app.log
  parley rca logs/ --since 2024-05-14T09:30:00Z --until 2024-05-14T10:30:00Z
  parley rca app.log --around 09:04 --within 10m
  kubectl logs deploy/shop --all-containers --prefix --timestamps | parley rca - --json
  parley rca --follow /var/log/app.log --quiet
  parley rca today.log --reference yesterday.log.gz --out incident/
  parley rca timeline app.log --around 09:04 --within 2m
  parley rca 'logs/*.log' --cast openai/gpt-5-mini,judge=anthropic/claude-sonnet-5 --set judge.swap=true`;

export type FollowOptions = { follow?: boolean; incidents?: number; format?: string; topology?: string };

const mostIncidents = 10;

/** Follows one log and hands on what it had last whenever errors burst, until the signal, the end or the limit. */
export async function followIncidents(
  io: Io,
  logs: readonly string[],
  options: FollowOptions,
  debate: (log: ParsedLog) => Promise<void>,
): Promise<void> {
  const [name] = logs;
  if (name === undefined || logs.length > 1)
    throw new ParleyError("bad_input", "--follow takes one file, or - for standard input");
  const topology = options.topology === undefined ? undefined : await readTopology(options.topology, io.cwd);
  const most = options.incidents ?? mostIncidents;
  const source = name === "-" ? followInput(io.stdin) : followFile(resolve(io.cwd, name), io.signal);
  io.err(`parley: following ${name === "-" ? "standard input" : name}; waiting for errors to burst\n`);
  let seen = 0;
  for await (const { lines, firstLine } of watchIncidents(source, Date.now)) {
    if (io.signal.aborted) return;
    seen += 1;
    io.err(`parley: errors burst; incident ${seen} of at most ${most}\n`);
    const reading = { name, firstLine, format: options.format, nowMs: Date.now(), budgetTokens: keptTokens };
    await debate({ ...(await parseLines(lines, reading)), ...(topology && { topology }) });
    if (seen >= most) return;
  }
}

/** Everything that comes in is new. */
async function* followInput(stdin: AsyncIterable<Uint8Array>): AsyncGenerator<FollowedLines> {
  const buffer = new LineBuffer();
  for await (const chunk of stdin) {
    const lines = buffer.add(chunk);
    if (lines.length > 0) yield { lines, old: false };
  }
}
