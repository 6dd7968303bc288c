import { Command } from "commander";
import { incidentsFileOf, readProjectIncidents } from "../knowledge/incidents/index.ts";
import { type ParsedLog, parseLogs } from "../knowledge/logs/index.ts";
import { rootCause } from "../packs/root-cause/pack.ts";
import type { Io } from "./io.ts";
import { createParseCommand, type LogOptions, readLogOptions, sayProblems, withLogOptions } from "./logs.ts";
import { type RunOptions, withPromiseOptions, withRunOptions } from "./options.ts";
import { createProgress } from "./progress.ts";
import { runCase } from "./run-case.ts";
import { locateStore } from "./stores.ts";

type RcaOptions = RunOptions & LogOptions;

/** How many tokens of telling events the reasoners can work from; the prompts of models hold `log_tokens` of them. */
const keptTokens = 40_000;

/** `parley rca LOGS…` and `parley rca parse LOGS…` */
export function command(io: Io): Command {
  const rca = new Command("rca")
    .description("Finds the root cause of an incident in logs: three reasoners and a judge, with cited lines.")
    .argument("<logs...>", "files, folders, globs, .gz, or - for standard input")
    .addCommand(createParseCommand(io));
  return withPromiseOptions(withRunOptions(withLogOptions(rca)))
    .addHelpText("after", examples)
    .action(async (logs: string[], options: RcaOptions) => {
      const log = await readLogs(io, logs, options);
      const incidents = readProjectIncidents(incidentsFileOf(locateStore(io, options)));
      await runCase(io, options, rootCause, { ...log, incidents });
    });
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
  parley rca app.log --since 09:00 --until 09:10
  kubectl logs deploy/shop --all-containers --prefix --timestamps | parley rca - --json
  parley rca today.log --reference yesterday.log.gz --out incident/
  parley rca 'logs/*.log' --cast openai/gpt-5-mini,judge=anthropic/claude-sonnet-5 --set judge.swap=true`;
