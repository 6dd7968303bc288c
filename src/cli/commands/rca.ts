import { Command } from "commander";
import { incidentsFileOf, readProjectIncidents } from "../../knowledge/incidents/index.ts";
import { type ParsedLog, parseLogs } from "../../knowledge/logs/index.ts";
import { rootCause } from "../../packs/root-cause/pack.ts";
import type { Io } from "../terminal/io.ts";
import { locateStore } from "../setting/setting.ts";
import { parseCount, type RunOptions, withPromiseOptions, withRunOptions } from "../setting/options.ts";
import { createProgress } from "../terminal/progress.ts";
import { followIncidents, type FollowOptions } from "../logs/follow-incidents.ts";
import { type LogOptions, readLogOptions, withLogOptions } from "../logs/log-options.ts";
import { sayProblems } from "../logs/say-problems.ts";
import { runCase } from "../run/run-case.ts";

type RcaOptions = RunOptions & LogOptions & FollowOptions;

/** How many tokens of telling events the reasoners can work from; the prompts of models hold `log_tokens` of them. */
const keptTokens = 40_000;

/** `parley rca LOGS…` */
export function command(io: Io): Command {
  const rca = new Command("rca")
    .description("Finds the root cause of an incident in logs: three reasoners and a judge, with cited lines.")
    .argument("<logs...>", "files, folders, globs, .gz, or - for standard input")
    .option("--follow", "watch one log and debate each time that errors burst, until interrupted")
    .option("--incidents <number>", "with --follow: stop after this many (default: 10)", parseCount);
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
  parley rca 'logs/*.log' --cast openai/gpt-5-mini,judge=anthropic/claude-sonnet-5 --set judge.swap=true`;
