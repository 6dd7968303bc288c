import { Command } from "commander";
import { incidentsFileOf, readProjectIncidents } from "../../knowledge/incidents/index.ts";
import { type ParsedLog, parseLogs, readTimeOption } from "../../knowledge/logs/index.ts";
import { rootCause } from "../../packs/root-cause/pack.ts";
import type { Io } from "../terminal/io.ts";
import { locateStore } from "../setting/setting.ts";
import { collect, type RunOptions, withRunOptions } from "../setting/options.ts";
import { createProgress } from "../terminal/progress.ts";
import { sayProblems } from "../logs/say-problems.ts";
import { runCase } from "../run/run-case.ts";

type RcaOptions = RunOptions & { format?: string; since?: number; until?: number; reference: string[] };

/** How many tokens of telling events the reasoners can work from; the prompts of models hold `log_tokens` of them. */
const keptTokens = 40_000;

/** `parley rca LOGS…` */
export function command(io: Io): Command {
  const rca = new Command("rca")
    .description("Finds the root cause of an incident in logs: three reasoners and a judge, with cited lines.")
    .argument("<logs...>", "files, folders, globs, .gz, or - for standard input")
    .option("--format <name>", "layout of the lines (default: guessed; see parley logs formats)")
    .option("--since <time>", "only events from this time on, e.g. 2024-05-14T09:30:00Z", readTimeOption)
    .option("--until <time>", "only events up to this time", readTimeOption)
    .option("--reference <logs>", "logs of a healthy period to compare with; can be repeated", collect, []);
  return withRunOptions(rca)
    .addHelpText("after", examples)
    .action(async (logs: string[], { format, since, until, reference, ...options }: RcaOptions) => {
      const log = await readLogs(io, logs, { format, since, until, reference, ...options });
      const incidents = readProjectIncidents(incidentsFileOf(locateStore(io, options)));
      await runCase(io, options, rootCause, { ...log, incidents });
    });
}

async function readLogs(io: Io, logs: string[], options: RcaOptions): Promise<ParsedLog> {
  const progress = createProgress(io, options.quiet);
  let events = 0;
  const log = await parseLogs(logs, {
    format: options.format,
    sinceMs: options.since,
    untilMs: options.until,
    budgetTokens: keptTokens,
    nowMs: Date.now(),
    stdin: io.stdin,
    signal: io.signal,
    cwd: io.cwd,
    ...(options.reference.length > 0 && { reference: options.reference }),
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
  kubectl logs deploy/shop --all-containers | parley rca - --json
  parley rca today.log --reference yesterday.log.gz --out incident/
  parley rca 'logs/*.log' --cast openai/gpt-5-mini,judge=anthropic/claude-sonnet-5 --set judge.swap=true`;
