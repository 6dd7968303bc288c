import { resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { incidentsFile, readProjectIncidents } from "../../packs/root-cause/knowledge/project-incidents.ts";
import { formatNames, parseLogs } from "../../packs/root-cause/logs/index.ts";
import { rootCause } from "../../packs/root-cause/pack.ts";
import type { Io } from "../io.ts";
import { storeFolder } from "../kg/store-folder.ts";
import { collect, type RunOptions, withRunOptions } from "../options.ts";
import { runCase } from "../run-case.ts";

type RcaOptions = RunOptions & { format?: string; since?: string; until?: string; reference: string[] };

/** How many tokens of telling events the reasoners can work from; the prompts of models hold `log_tokens` of them. */
const keptTokens = 40_000;

/** `parley rca LOGS…` */
export function command(io: Io): Command {
  const rca = new Command("rca")
    .description("Finds the root cause of an incident in logs: three reasoners and a judge, with cited lines.")
    .argument("<logs...>", "files, folders, globs, .gz, or - for standard input")
    .option(
      "--format <name>",
      `layout of the lines: ${formatNames.map(({ name }) => name).join(", ")} (default: guessed)`,
    )
    .option("--since <time>", "only events from this time on, e.g. 2024-05-14T09:30:00Z")
    .option("--until <time>", "only events up to this time")
    .option("--reference <logs>", "logs of a healthy period to compare with; can be repeated", collect, []);
  return withRunOptions(rca)
    .addHelpText("after", examples)
    .action(async (logs: string[], options: RcaOptions) => {
      const { format, since, until, reference, ...rest } = options;
      const log = await parseLogs(pathsFrom(io, logs), {
        budgetTokens: keptTokens,
        stdin: io.stdin,
        ...(format !== undefined && { format }),
        ...(since !== undefined && { sinceMs: timeOf("--since", since) }),
        ...(until !== undefined && { untilMs: timeOf("--until", until) }),
        ...(reference.length > 0 && { reference: pathsFrom(io, reference) }),
      });
      if (log.totals.events === 0) throw new ParleyError("bad_input", nothingRead(logs, log));
      const incidents = readProjectIncidents(incidentsFile(storeFolder(io, rest)));
      await runCase(io, rest, rootCause, { ...log, incidents });
    });
}

/** Names as the user gave them where they mean the same here, so that citations read as typed. */
function pathsFrom(io: Io, paths: string[]): string[] {
  return io.cwd === process.cwd() ? paths : paths.map((path) => (path === "-" ? path : resolve(io.cwd, path)));
}

function timeOf(option: string, text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new ParleyError("bad_input", `${option} "${text}" is not a time; write e.g. 2024-05-14T09:30:00Z`);
  return time;
}

function nothingRead(logs: string[], { totals, sources }: Awaited<ReturnType<typeof parseLogs>>): string {
  const problems = sources.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`));
  if (totals.outside_window > 0) return `all ${totals.outside_window} events lie outside --since and --until`;
  return `no log line in ${logs.join(", ")}${problems.length > 0 ? ` (${problems.join("; ")})` : ""}`;
}

const examples = `
Examples:
  parley rca app.log
  parley rca logs/ --since 2024-05-14T09:30:00Z --until 2024-05-14T10:30:00Z
  kubectl logs deploy/shop --all-containers | parley rca - --json
  parley rca today.log --reference yesterday.log.gz --out incident/
  parley rca 'logs/*.log' --cast openai/gpt-5-mini,judge=anthropic/claude-sonnet-5 --set judge.swap=true`;
